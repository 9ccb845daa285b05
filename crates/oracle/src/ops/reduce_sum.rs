use crate::families::reduce::{reduce, total};
use crate::prelude::*;

/// Computes the sum along some axes.
///
/// Up to version 11, `axes` is an attribute; in version 13, it is an input. The axes are in range (`axes-in-range`).
/// Reductions over no elements: `empty-reduction`; sums that overflow: `overflow`; infinities and NaN:
/// `nan-and-infinity`.
pub fn reduce_sum(call: &Call) -> Answer {
    reduce(call, |x, dtype| total(x, dtype, rule::OVERFLOW))
}

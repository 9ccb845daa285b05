use crate::families::reduce::{reduce, total};
use crate::prelude::*;

/// Computes the sum of squares along some axes.
///
/// Up to version 13, `axes` is an attribute; in version 18, it is an input. The axes are in range (`axes-in-range`).
/// Reductions over no elements: `empty-reduction`; sums that overflow: `overflow`.
pub fn reduce_sum_square(call: &Call) -> Answer {
    reduce(call, |x, dtype| total(&x.iter().map(|x| x.abs() * x.abs()).collect::<Vec<_>>(), dtype, rule::OVERFLOW))
}

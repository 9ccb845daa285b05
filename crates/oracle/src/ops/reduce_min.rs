use crate::families::reduce::{extremum, highest, reduce};
use crate::prelude::*;

/// Computes the minimum along some axes.
///
/// Up to version 13, `axes` is an attribute; from version 18 on, it is an input. Version 20 adds bool (`bool-order`).
/// The axes are in range (`axes-in-range`). Reductions over no elements: `empty-reduction`; NaN: `nan`; zeros of both
/// signs: `signed-zero`.
pub fn reduce_min(call: &Call) -> Answer {
    reduce(call, |x, dtype| extremum(x, |a, b| a.minimum(b, rule::NAN)).unwrap_or_else(|| highest(dtype)))
}

use crate::families::reduce::{extremum, highest, reduce};
use crate::prelude::*;

/// ReduceMin-1, -11, -12, -13: `axes` is an attribute. ReduceMin-18: an input. ReduceMin-20: bool. Axes: `axes-in-range`; empty sets:
/// `empty-reduction`; NaN: `nan`; which of two zeros: `signed-zero`.
pub fn reduce_min(call: &Call) -> Answer {
    reduce(call, |x, dtype| extremum(x, |a, b| a.minimum(b, rule::NAN)).unwrap_or_else(|| highest(dtype)))
}

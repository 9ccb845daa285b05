use crate::families::reduce::{extremum, lowest, reduce};
use crate::prelude::*;

/// ReduceMax-1, -11, -12, -13: `axes` is an attribute. ReduceMax-18: an input. ReduceMax-20: bool. Axes: `axes-in-range`; empty sets:
/// `empty-reduction`; NaN: `nan`; which of two zeros: `signed-zero`.
pub fn reduce_max(call: &Call) -> Answer {
    reduce(call, |x, dtype| extremum(x, |a, b| a.maximum(b, rule::NAN)).unwrap_or_else(|| lowest(dtype)))
}

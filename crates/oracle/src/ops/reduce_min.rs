use crate::families::reduce::{extremum, highest, reduce};
use crate::prelude::*;

/// ReduceMin-1, -11, -12, -13: `axes` is an attribute. ReduceMin-18: an input. ReduceMin-20: bool. Axes: C1; empty sets: B2; NaN: B5;
/// which of two zeros: B6.
pub fn reduce_min(call: &Call) -> Answer {
    reduce(call, |x, dtype| extremum(x, |a, b| a.minimum(b, B5)).unwrap_or_else(|| highest(dtype)))
}

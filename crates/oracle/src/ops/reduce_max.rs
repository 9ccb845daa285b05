use crate::families::reduce::{extremum, lowest, reduce};
use crate::prelude::*;

/// ReduceMax-1, -11, -12, -13: `axes` is an attribute. ReduceMax-18: an input. ReduceMax-20: bool. Axes: C1; empty sets: B2; NaN: B5;
/// which of two zeros: B6.
pub fn reduce_max(call: &Call) -> Answer {
    reduce(call, |x, dtype| extremum(x, |a, b| a.maximum(b, B5)).unwrap_or_else(|| lowest(dtype)))
}

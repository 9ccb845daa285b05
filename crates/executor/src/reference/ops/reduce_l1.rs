use crate::reference::families::reduce::reduce;
use crate::reference::prelude::*;

/// ReduceL1-1, -11, -13: `axes` is an attribute. ReduceL1-18: an input. Axes: C1; empty sets: B2; integer overflow: B3.
pub fn reduce_l1(call: &Call) -> Answer {
    reduce(call, |x, dtype| sum(x.iter().map(|x| x.abs()), dtype, B3))
}

use crate::reference::families::reduce::reduce;
use crate::reference::prelude::*;

/// ReduceSumSquare-1, -11, -13: `axes` is an attribute. ReduceSumSquare-18: an input. Axes: C1; empty sets: B2; integer overflow: B3.
pub fn reduce_sum_square(call: &Call) -> Answer {
    reduce(call, |x, dtype| sum(x.iter().map(|x| x.abs() * x.abs()), dtype, B3))
}

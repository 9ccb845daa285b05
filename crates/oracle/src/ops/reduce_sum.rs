use crate::families::reduce::{reduce, total};
use crate::prelude::*;

/// ReduceSum-1, -11: `axes` is an attribute. ReduceSum-13: an input. Axes: C1; empty sets: B2; sums that overflow: B3.
pub fn reduce_sum(call: &Call) -> Answer {
    reduce(call, |x, dtype| total(x, dtype, B3))
}

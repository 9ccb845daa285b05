use crate::families::reduce::{reduce, total};
use crate::prelude::*;

/// ReduceSum-1, -11: `axes` is an attribute. ReduceSum-13: an input. Axes: `axes-in-range`; empty sets: `empty-reduction`; sums that overflow:
/// `overflow`.
pub fn reduce_sum(call: &Call) -> Answer {
    reduce(call, |x, dtype| total(x, dtype, rule::OVERFLOW))
}

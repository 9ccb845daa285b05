use crate::families::reduce::{reduce, total};
use crate::prelude::*;

/// ReduceSumSquare-1, -11, -13: `axes` is an attribute. ReduceSumSquare-18: an input. Axes: `axes-in-range`; empty sets: `empty-reduction`; sums that
/// overflow: `overflow`.
pub fn reduce_sum_square(call: &Call) -> Answer {
    reduce(call, |x, dtype| total(&x.iter().map(|x| x.abs() * x.abs()).collect::<Vec<_>>(), dtype, rule::OVERFLOW))
}

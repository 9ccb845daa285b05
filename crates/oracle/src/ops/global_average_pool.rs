use crate::families::pooling::pool_all;
use crate::families::reduce::{mean_of, of_reals};
use crate::prelude::*;

/// Computes the average of each channel over all spatial axes.
///
/// Versions 1 and 22 have the same meaning; version 22 adds bfloat16. The input has channels (`input-has-channels`). An
/// average of no elements: `empty-reduction`; sums that overflow: `intermediate-overflow`.
pub fn global_average_pool(call: &Call) -> Answer {
    let dtype = call.output_dtype(0)?;
    pool_all(call, |x| match x.len() {
        0 => Number::constant(f64::NAN, dtype).or(Number::constant(0.0, dtype), rule::EMPTY_REDUCTION),
        count => of_reals(x, |x| mean_of(x, count, dtype, rule::INTERMEDIATE_OVERFLOW)),
    })
}

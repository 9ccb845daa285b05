use crate::families::pooling::pool_all;
use crate::families::reduce::{mean_of, of_reals};
use crate::prelude::*;

/// GlobalAveragePool-1, -22: one meaning; 22 adds bfloat16. Channels: `input-has-channels`; nothing to average: `empty-reduction`; sums that
/// overflow: `intermediate-overflow`.
pub fn global_average_pool(call: &Call) -> Answer {
    let dtype = call.output_dtype(0)?;
    pool_all(call, |x| match x.len() {
        0 => Number::constant(f64::NAN, dtype).or(Number::constant(0.0, dtype), rule::EMPTY_REDUCTION),
        count => of_reals(x, |x| mean_of(x, count, dtype, rule::INTERMEDIATE_OVERFLOW)),
    })
}

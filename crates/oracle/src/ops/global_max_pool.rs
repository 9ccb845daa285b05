use crate::families::pooling::{maximum, pool_all, smallest};
use crate::families::reduce::lowest;
use crate::prelude::*;

/// Computes the maximum of each channel over all spatial axes.
///
/// Versions 1 and 22 have the same meaning; version 22 adds bfloat16. The input has channels (`input-has-channels`). A
/// maximum of no elements: `empty-reduction`; NaN: `nan`.
pub fn global_max_pool(call: &Call) -> Answer {
    let dtype = call.output_dtype(0)?;
    let none = || lowest(dtype).or(smallest(dtype), rule::EMPTY_REDUCTION);
    pool_all(call, |x| maximum(x, rule::NAN).unwrap_or_else(none))
}

use crate::families::pooling::{maximum, pool_all, smallest};
use crate::families::reduce::lowest;
use crate::prelude::*;

/// GlobalMaxPool-1, -22: one meaning; 22 adds bfloat16. Channels: `input-has-channels`; no element: `empty-reduction`; NaN: `nan`.
pub fn global_max_pool(call: &Call) -> Answer {
    let dtype = call.output_dtype(0)?;
    let none = || lowest(dtype).or(smallest(dtype), rule::EMPTY_REDUCTION);
    pool_all(call, |x| maximum(x, rule::NAN).unwrap_or_else(none))
}

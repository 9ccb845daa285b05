use crate::families::pooling::{maximum, pool_all, smallest};
use crate::families::reduce::lowest;
use crate::prelude::*;

/// GlobalMaxPool-1, -22: one meaning; 22 adds bfloat16. Channels: C1; no element: B1; NaN: B2.
pub fn global_max_pool(call: &Call) -> Answer {
    let dtype = call.output_dtype(0)?;
    let none = || lowest(dtype).or(smallest(dtype), B1);
    pool_all(call, |x| maximum(x, B2).unwrap_or_else(none))
}

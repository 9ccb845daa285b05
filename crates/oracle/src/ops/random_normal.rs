use crate::families::random::{dtype, normal, seed, shape};
use crate::prelude::*;

/// RandomNormal-1, -22: drawn (B1) from the normal distribution of `mean` and `scale` (B2), in a type of the output (C1) and a shape (C2).
pub fn random_normal(call: &Call) -> Answer {
    let dtype = dtype(call, Some(DType::Float), C1)?;
    one(Expected::drawn(dtype, shape(call, C2)?, normal(call, B2)?, seed(call), B1)?)
}

use crate::families::random::{dtype, seed, shape, uniform};
use crate::prelude::*;

/// RandomUniform-1, -22: drawn (B1) evenly from `low` to `high` (B2), in a type of the output (C1) and a shape (C2).
pub fn random_uniform(call: &Call) -> Answer {
    let dtype = dtype(call, Some(DType::Float), C1)?;
    one(Expected::drawn(dtype, shape(call, C2)?, uniform(call, B2)?, seed(call), B1)?)
}

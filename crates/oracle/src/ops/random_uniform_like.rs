use crate::families::random::{dtype, seed, uniform};
use crate::prelude::*;

/// RandomUniformLike-1, -22: as RandomUniform, in the shape of the input, and in its type, unless `dtype` names another (C1).
pub fn random_uniform_like(call: &Call) -> Answer {
    let input = call.tensor("input")?;
    let dtype = dtype(call, Some(input.dtype()), C1)?;
    one(Expected::drawn(dtype, input.shape().to_vec(), uniform(call, B2)?, seed(call), B1)?)
}

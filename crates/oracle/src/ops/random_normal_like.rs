use crate::families::random::{dtype, normal, seed};
use crate::prelude::*;

/// RandomNormalLike-1, -22: as RandomNormal, in the shape of the input, and in its type, unless `dtype` names another (C1).
pub fn random_normal_like(call: &Call) -> Answer {
    let input = call.tensor("input")?;
    let dtype = dtype(call, Some(input.dtype()), C1)?;
    one(Expected::drawn(dtype, input.shape().to_vec(), normal(call, B2)?, seed(call), B1)?)
}

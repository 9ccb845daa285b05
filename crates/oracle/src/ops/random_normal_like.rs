use crate::families::random::{dtype, normal, seed};
use crate::prelude::*;

/// RandomNormalLike-1, -22: as RandomNormal, in the shape of the input, and in its type, unless `dtype` names another (`dtype-allowed`).
pub fn random_normal_like(call: &Call) -> Answer {
    let input = call.tensor("input")?;
    let dtype = dtype(call, Some(input.dtype()), rule::DTYPE_ALLOWED)?;
    one(Expected::drawn(
        dtype,
        input.shape().to_vec(),
        normal(call, rule::DEGENERATE_DISTRIBUTION)?,
        seed(call),
        rule::RANDOMNESS,
    )?)
}

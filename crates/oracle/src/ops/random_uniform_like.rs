use crate::families::random::{dtype, seed, uniform};
use crate::prelude::*;

/// RandomUniformLike-1, -22: as RandomUniform, in the shape of the input, and in its type, unless `dtype` names another (`dtype-allowed`).
pub fn random_uniform_like(call: &Call) -> Answer {
    let input = call.tensor("input")?;
    let dtype = dtype(call, Some(input.dtype()), rule::DTYPE_ALLOWED)?;
    one(Expected::drawn(
        dtype,
        input.shape().to_vec(),
        uniform(call, rule::DEGENERATE_DISTRIBUTION)?,
        seed(call),
        rule::RANDOMNESS,
    )?)
}

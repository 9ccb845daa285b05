use crate::families::random::{dtype, normal, seed};
use crate::prelude::*;

/// Draws numbers like RandomNormal, in the shape of the input. They have the type of the input, unless `dtype` names
/// another one (`dtype-allowed`). They are drawn at random (`randomness`).
///
/// Versions 1 and 22 have the same meaning.
pub fn random_normal_like(call: &Call) -> Answer {
    let input = call.tensor("input")?;
    let dtype = dtype(call, Some(input.dtype()), rule::DTYPE_ALLOWED)?;
    one(Expected::drawn(
        dtype,
        input.shape().to_vec(),
        normal(call, dtype, rule::DEGENERATE_DISTRIBUTION)?,
        seed(call),
    )?)
}

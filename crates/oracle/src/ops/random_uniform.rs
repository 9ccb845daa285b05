use crate::families::random::{dtype, seed, shape, uniform};
use crate::prelude::*;

/// RandomUniform-1, -22: drawn (`randomness`) evenly from `low` to `high` (`degenerate-distribution`), in a type of the output (`dtype-allowed`) and
/// a shape (`extents-non-negative`).
pub fn random_uniform(call: &Call) -> Answer {
    let dtype = dtype(call, Some(DType::Float), rule::DTYPE_ALLOWED)?;
    one(Expected::drawn(
        dtype,
        shape(call, rule::EXTENTS_NON_NEGATIVE)?,
        uniform(call, rule::DEGENERATE_DISTRIBUTION)?,
        seed(call),
        rule::RANDOMNESS,
    )?)
}

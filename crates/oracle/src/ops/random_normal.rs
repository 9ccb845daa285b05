use crate::families::random::{dtype, normal, seed, shape};
use crate::prelude::*;

/// RandomNormal-1, -22: drawn (`randomness`) from the normal distribution of `mean` and `scale` (`degenerate-distribution`), in a type of the output
/// (`dtype-allowed`) and a shape (`extents-non-negative`).
pub fn random_normal(call: &Call) -> Answer {
    let dtype = dtype(call, Some(DType::Float), rule::DTYPE_ALLOWED)?;
    one(Expected::drawn(
        dtype,
        shape(call, rule::EXTENTS_NON_NEGATIVE)?,
        normal(call, rule::DEGENERATE_DISTRIBUTION)?,
        seed(call),
        rule::RANDOMNESS,
    )?)
}

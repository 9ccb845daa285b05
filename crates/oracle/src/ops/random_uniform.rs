use crate::families::random::{dtype, seed, shape, uniform};
use crate::prelude::*;

/// Draws numbers from the uniform distribution between `low` and `high` (`randomness`).
///
/// Versions 1 and 22 have the same meaning. Constraints: the output type (`dtype-allowed`) and the shape
/// (`extents-non-negative`). Parameters that describe no distribution: `degenerate-distribution`.
pub fn random_uniform(call: &Call) -> Answer {
    let dtype = dtype(call, Some(DType::Float), rule::DTYPE_ALLOWED)?;
    one(Expected::drawn(
        dtype,
        shape(call, rule::EXTENTS_NON_NEGATIVE)?,
        uniform(call, dtype, rule::DEGENERATE_DISTRIBUTION)?,
        seed(call),
    )?)
}

use crate::families::random::{dtype, normal, seed, shape};
use crate::prelude::*;

/// Draws numbers from the normal distribution with the given `mean` and `scale` (`randomness`).
///
/// Versions 1 and 22 have the same meaning. Constraints: the output type (`dtype-allowed`) and the shape
/// (`extents-non-negative`). Parameters that describe no distribution: `degenerate-distribution`.
pub fn random_normal(call: &Call) -> Answer {
    let dtype = dtype(call, Some(DType::Float), rule::DTYPE_ALLOWED)?;
    one(Expected::drawn(
        dtype,
        shape(call, rule::EXTENTS_NON_NEGATIVE)?,
        normal(call, dtype, rule::DEGENERATE_DISTRIBUTION)?,
        seed(call),
    )?)
}

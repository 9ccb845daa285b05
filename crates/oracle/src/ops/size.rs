use crate::prelude::*;

/// Returns the number of elements of the input as a scalar (`scalar-or-empty-input`).
///
/// Versions 1 to 25 have the same meaning; later ones add types.
pub fn size(call: &Call) -> Answer {
    one(Tensor::from_i64(call.tensor("data")?.len() as i64).into())
}

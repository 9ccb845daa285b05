use crate::prelude::*;

/// Returns the number of elements of the input as a scalar (`scalar-or-empty-input`).
///
/// All versions have the same meaning; versions after 1 add types.
pub fn size(call: &Call) -> Answer {
    one(Tensor::from_i64(call.tensor("data")?.len() as i64).into())
}

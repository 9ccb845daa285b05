use crate::prelude::*;

/// Size-1 to -25: one meaning, the versions add types. The number of elements, as a rank-0 tensor (`scalar-or-empty-input`).
pub fn size(call: &Call) -> Answer {
    one(Tensor::from_i64(call.tensor("data")?.len() as i64).into())
}

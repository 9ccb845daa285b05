//! Re-exports the names that most recipes use.

pub use crate::draw::Draw;
pub use crate::values::Values;
pub use plumbline_tensor::{DType, Tensor};

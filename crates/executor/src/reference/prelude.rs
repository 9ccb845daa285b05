//! What a kernel needs.

pub use crate::labels::*;
pub use crate::reference::{
    Accumulator, Allowed, Answer, Call, Collected, Expected, Kind, Number, Operand, Real, Unordered, broadcast_shape,
    one, several, shape, sum,
};
pub use crate::{Label, Refusal};
pub use plumbline_tensor::{DType, Tensor};

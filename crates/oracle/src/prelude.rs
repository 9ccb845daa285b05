//! Re-exports the names that most kernels use.

pub use crate::{
    Accumulator, Allowed, Answer, Call, Collected, Expected, Label, Number, NumberKind, Operand, Real, Refusal,
    Unordered, UnorderedParts, broadcast_shape, one, several, shape, sum,
};
pub use plumbline_spec::rule;
pub use plumbline_tensor::{DType, Tensor};

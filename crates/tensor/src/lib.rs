//! Element types, tensors and values of ONNX, ONNX's wire format, and its text syntax.
//!
//! All other crates below `crates/` use these types. This crate does not know about operators.

mod dtype;
mod float_encode;
mod float_format;
pub mod onnx;
mod sparse;
pub mod syntax;
mod tensor;
mod text;
mod value;
mod wire;

pub use dtype::{DType, DTypeKind};
pub use float_encode::RoundMode;
pub use float_format::{FloatFormat, Saturation, power_of_two};
pub use sparse::{SparseTensor, SparseTensorError};
pub use syntax::SyntaxError;
pub use tensor::{Data, Tensor, TensorError, element_count};
pub use value::{MapKeys, Value, ValueKind};
pub use wire::{
    Model, WireError, append_value, load_model, sparse_tensor_from_proto, sparse_tensor_to_proto, tensor_from_proto,
    tensor_to_proto, value_from_bytes, value_to_bytes,
};

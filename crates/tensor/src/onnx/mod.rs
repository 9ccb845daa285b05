//! The messages of ONNX's wire format, with the field numbers of `onnx.proto` and `onnx-data.proto`. Reading skips
//! fields that ONNX may add later.
#![allow(missing_docs)]

mod data;
mod device;
mod graph;
mod tensor;
mod types;

pub use data::*;
pub use device::*;
pub use graph::*;
pub use tensor::*;
pub use types::*;

//! The messages of ONNX's wire format, by field number (facts of `onnx.proto` and `onnx-data.proto`).
//! Fields ONNX may add later are skipped on reading.
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

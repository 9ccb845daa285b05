//! Operators of the domain ai.onnx.ml.

pub mod features;
pub mod labels;
pub mod linear;
pub mod maps;

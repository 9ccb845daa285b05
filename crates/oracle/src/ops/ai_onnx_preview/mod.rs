//! Kernels of the domain `ai.onnx.preview`.
//!
//! Written by `cargo xtask generate`; not edited by hand.

pub mod flex_attention;

//! Recipes of the domain `ai.onnx.preview.training`.
//!
//! Written by `cargo xtask generate`; not edited by hand.

pub mod adagrad;
pub mod adam;
pub mod gradient;
pub mod momentum;

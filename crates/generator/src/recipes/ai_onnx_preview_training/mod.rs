//! Recipes of the domain `ai.onnx.preview.training`.
//!
//! Written by `cargo xtask generate`; not edited by hand.

pub mod gradient;
pub mod optimizers;

//! Recipes of the domain `ai.onnx.ml`.
//!
//! Written by `cargo xtask generate`; not edited by hand.

pub mod encoders;
pub mod features;
pub mod linear;
pub mod maps;
pub mod tree_ensemble;
pub mod trees;
pub mod trees_invalid;

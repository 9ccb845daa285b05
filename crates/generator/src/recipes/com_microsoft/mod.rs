//! Recipes of the domain `com.microsoft`.
//!
//! Written by `cargo xtask generate`; not edited by hand.

pub mod fast_gelu;
pub mod quick_gelu;

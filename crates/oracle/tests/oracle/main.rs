//! Checks what the oracle accepts, by families of operators: laws that hold for all values, and cases worked out by
//! hand.
#![allow(clippy::unwrap_used, reason = "a test program")]

mod attention;
mod binary;
#[path = "../common/mod.rs"]
mod common;
mod convolution;
mod gradient;
mod image;
mod intervals;
mod movement;
mod quantization;
mod recurrent;
mod reduction;
mod refusable;
mod stepwise;
mod tiles;
mod traditional;
mod unary;

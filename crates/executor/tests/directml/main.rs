//! DirectML without Windows, held against every table of `specs/directml`.
#![allow(clippy::unwrap_used, reason = "a test program")]

mod alone;
#[path = "../common/mod.rs"]
mod common;
mod execution;
mod software;
mod tables;

//! Tests of the DirectML crate that do not need Windows. They cover every table of `specs/directml`.
#![allow(clippy::unwrap_used, reason = "a test program")]

mod carried;
#[path = "../../../oracle/tests/common/mod.rs"]
mod common;
mod execution;
mod exercise;
mod lowering;
mod models;
mod software;
mod tables;

//! Tests that `specs/directml` is complete, consistent and in canonical form, that the loader rejects anything else,
//! and that the comparisons with ONNX and between feature levels are correct.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod compatibility;
mod counterpart;
mod diff;
mod facts;
mod load;

use plumbline_spec::directml::{DirectMl, Operator};
use std::path::{Path, PathBuf};

fn directml() -> &'static DirectMl {
    DirectMl::embedded()
}

fn operator(name: &str) -> &'static Operator {
    directml().operator(name).unwrap()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs/directml")
}

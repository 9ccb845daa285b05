//! Tests that `specs/directml` is complete, in one form and consistent, and that the loader rejects anything else.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod compatibility;
mod diff;
mod facts;
mod load;
mod page;

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

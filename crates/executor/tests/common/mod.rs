//! Shared by the test programs in this folder: workers, and models of one node.
#![allow(dead_code, clippy::unwrap_used, reason = "a test program uses some of it")]

#[path = "../../../oracle/tests/common/mod.rs"]
mod models;

use std::time::Duration;

pub use models::*;
use plumbline_executor::worker::{Command, Limits};
use plumbline_executor::{Observation, Options, Registry, Runner};
use plumbline_tensor::{Model, Value};

pub const DEADLINE: Duration = Duration::from_secs(20);

/// Returns a registry that starts backends in this crate's own worker program.
pub fn registry(limits: Limits) -> Registry {
    let worker = Command::new(env!("CARGO_BIN_EXE_plumbline-worker"), ["worker"]);
    Registry::new(Options { worker: Some(worker), limits, libraries: target_folder(), fetch: false })
}

/// Returns the workspace's `target` folder, where the libraries of runtimes are kept.
pub fn target_folder() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target")
}

/// Runs the model and returns its only output. Panics on any other outcome.
pub fn output(runner: &mut dyn Runner, model: &Model, inputs: &[Value]) -> Value {
    match runner.run(model, inputs, DEADLINE) {
        Observation::Outputs { mut values, .. } if values.len() == 1 => values.remove(0),
        other => panic!("{} answered {other:?}", runner.identity()),
    }
}

/// Runs the model and returns the refusal. Panics on any other outcome.
pub fn refusal(runner: &mut dyn Runner, model: &Model, inputs: &[Value]) -> plumbline_executor::Refusal {
    match runner.run(model, inputs, DEADLINE) {
        Observation::Refused { refusal, .. } => refusal,
        other => panic!("{} answered {other:?}", runner.identity()),
    }
}

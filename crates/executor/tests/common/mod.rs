//! Shared by the test programs in this folder: workers, and models of one node.
#![allow(dead_code, clippy::unwrap_used, reason = "each test program uses only some of these functions")]

#[path = "../../../oracle/tests/common/mod.rs"]
mod models;

use std::time::Duration;

pub use models::*;
use plumbline_executor::worker::{Command, Limits};
use plumbline_executor::{Job, Observation, Options, Registry, Runner};
use plumbline_tensor::{Model, Value};

pub const DEADLINE: Duration = Duration::from_secs(20);

/// Returns a registry that starts backends in this crate's own worker program.
pub fn registry(limits: Limits) -> Registry {
    let worker = Command::new(env!("CARGO_BIN_EXE_plumbline-worker"), ["worker"]);
    Registry::new(Options {
        worker: Some(worker),
        limits,
        libraries: target_folder(),
        fetch: false,
        ..Options::default()
    })
}

/// Returns the workspace's `target` folder, where the libraries of runtimes are kept.
pub fn target_folder() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target")
}

/// Returns a model with one node: Abs of float32.
pub fn abs() -> Model {
    model("Abs", 13, &["tensor(float)"], "tensor(float)")
}

/// Returns the model [`abs`] and the inputs of `count` cases: one number for each case.
pub fn cases(count: usize) -> (Model, Vec<Vec<Value>>) {
    (abs(), (0..count).map(|i| vec![float(&[-(i as f64)])]).collect())
}

/// Runs `count` [`cases`] in one batch.
pub fn run_all(runner: &mut dyn Runner, deadline: Duration, count: usize) -> Vec<Observation> {
    let (model, inputs) = cases(count);
    let jobs: Vec<Job> = inputs.iter().map(|inputs| Job::new(&model, inputs)).collect();
    runner.run_batch(&jobs, deadline)
}

/// Returns whether an observation is the right answer to the case of [`cases`] that has this index.
pub fn is_right(observation: &Observation, index: usize) -> bool {
    matches!(observation, Observation::Outputs { values, .. } if *values == [float(&[index as f64])])
}

/// Returns the command line of a worker that sends its greeting and then runs a shell script.
pub fn shell_worker(script: &str) -> Command {
    let hello = r#"{"version": 2, "identity": {"name": "sh", "version": ""}}"#;
    let greeting = format!(r"printf 'PLB1\001\000\000\000\{:03o}\000\000\000{hello}'", hello.len());
    Command::new("sh", ["-c", &format!("{greeting}; {script}")])
}

/// Returns whether a process runs; one that waits to be reaped does not.
pub fn is_running(id: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    // The state follows the name, which is in parentheses.
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
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

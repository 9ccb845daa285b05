//! Tests of programs in other languages as backends. Most need Python, and one needs its package onnx. If Python or the
//! package is missing, these tests print that they are skipped.

#![allow(clippy::cloned_ref_to_slice_refs, reason = "a test program")]

mod common;

use std::process::Command;
use std::time::Duration;

use common::{float, model, numbers, output, refusal, registry};
use plumbline_executor::worker::Limits;
use plumbline_executor::{Job, Observation, RefusalKind, Runner};
use plumbline_tensor::{DType, Tensor, Value};

/// Returns a Python that can import `package`: the one that `PLUMBLINE_PYTHON` names, or python3.
fn python(package: &str) -> Option<String> {
    let python = std::env::var("PLUMBLINE_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let check = Command::new(&python).args(["-c", &format!("import {package}")]).output();
    if !check.is_ok_and(|done| done.status.success()) {
        eprintln!("SKIPPED: {python} cannot import {package}");
        return None;
    }
    Some(python)
}

fn start(python: &str, script: &str) -> Box<dyn Runner> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    registry(Limits::default()).start(&format!("process:'{python}' '{folder}/{script}'")).expect("the worker starts")
}

#[test]
fn a_program_of_bare_python_is_a_backend() {
    let Some(python) = python("json") else { return };
    let mut runner = start(&python, "examples/process_backend/backend.py");
    assert_eq!(runner.identity().to_string(), "bare-python 1");
    let f = "tensor(float)";
    let answer = output(runner.as_mut(), &model("Abs", 13, &[f], f), &[float(&[-1.5, 0.0, f64::NEG_INFINITY])]);
    assert_eq!(answer, float(&[1.5, 0.0, f64::INFINITY]));
    for dtype in DType::ALL {
        let kind = format!("tensor({dtype})");
        let value = [Value::Tensor(Tensor::zeros(dtype, vec![2, 3]).expect("six elements are not too many"))];
        assert_eq!(output(runner.as_mut(), &model("Identity", 13, &[&kind], &kind), &value), value[0]);
    }
    let no = refusal(runner.as_mut(), &model("Add", 14, &[f, f], f), &[float(&[1.0]), float(&[1.0])]);
    assert_eq!((no.kind, no.message.as_str()), (RefusalKind::Unsupported, "Add of tensor(float), tensor(float)"));
}

#[test]
fn a_program_of_python_runs_a_session_again() {
    let Some(python) = python("json") else { return };
    let f = "tensor(float)";
    let (abs, inputs) = (model("Abs", 13, &[f], f), [[float(&[-1.5])], [float(&[-2.5, 3.0])]]);
    let jobs = [Job::new(&abs, &inputs[0]), Job::again(&abs, &inputs[1])];
    let answers = |runner: &mut dyn Runner| -> Vec<Vec<Value>> {
        let seen = runner.run_batch(&jobs, Duration::from_secs(10)).into_iter();
        seen.filter_map(|seen| match seen {
            Observation::Outputs { values, .. } => Some(values),
            _ => None,
        })
        .collect()
    };
    let mut runner = start(&python, "examples/process_backend/backend.py");
    assert!(runner.runs_again());
    assert_eq!(answers(runner.as_mut()), [[float(&[1.5])], [float(&[2.5, 3.0])]]);
}

/// A worker of version 1 of the protocol cannot run a session again, but is a backend nevertheless.
#[test]
fn a_worker_of_version_1_runs_each_model_once() {
    let Some(python) = python("json") else { return };
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let old = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("worker-of-version-1");
    std::fs::create_dir_all(&old).expect("the folder can be created");
    for (folder, file) in [("examples/process_backend", "backend.py"), ("python", "plumbline_worker.py")] {
        let text = std::fs::read_to_string(format!("{root}/{folder}/{file}")).expect("the file can be read");
        std::fs::write(old.join(file), text.replace("\"version\": 2", "\"version\": 1"))
            .expect("the copy can be written");
    }
    let command = format!("process:'{python}' '{}'", old.join("backend.py").display());
    let mut runner = registry(Limits::default()).start(&command).expect("the worker starts");
    assert!(!runner.runs_again());
    let f = "tensor(float)";
    assert_eq!(output(runner.as_mut(), &model("Abs", 13, &[f], f), &[float(&[-1.5])]), float(&[1.5]));
}

/// A backend that runs models in a copy of its process. The copy aborts at Abs, and at Neg if it ran three models, and
/// answers any other model with its inputs.
#[cfg(unix)]
const ABORTS: &str = "\
import os, sys
from plumbline_worker import serve

runs = 0

def run(model, inputs):
    global runs
    runs += 1
    if b'Abs' in model or b'Neg' in model and runs == 3:
        print('no absolute value', file=sys.stderr, flush=True)
        os.abort()
    return inputs

serve('copies', '1', run=run, fork=True)
";

/// After a copy has died, the worker itself goes on: its next copy answers the later cases.
#[cfg(unix)]
#[test]
fn a_copy_of_a_worker_in_python_dies_and_the_next_one_goes_on() {
    let Some(python) = python("json") else { return };
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("worker-that-copies");
    std::fs::create_dir_all(&folder).expect("the folder can be created");
    let worker = concat!(env!("CARGO_MANIFEST_DIR"), "/../../python/plumbline_worker.py");
    std::fs::copy(worker, folder.join("plumbline_worker.py")).expect("the module can be copied");
    std::fs::write(folder.join("aborts.py"), ABORTS).expect("the program can be written");
    let command = format!("process:'{python}' '{}'", folder.join("aborts.py").display());
    let mut runner = registry(Limits::default()).start(&command).expect("the worker starts");
    let f = "tensor(float)";
    let (identity, abs, input) = (model("Identity", 13, &[f], f), model("Abs", 13, &[f], f), [float(&[1.0])]);
    let jobs = [
        Job::new(&identity, &input),
        Job::new(&abs, &input),
        Job::again(&abs, &input),
        Job::new(&identity, &input),
        Job::new(&abs, &input),
        Job::new(&identity, &input),
    ];
    let seen = runner.run_batch(&jobs, Duration::from_secs(10));
    let is_death = |observation: &Observation| match observation {
        Observation::Crash { detail } => detail == "signal: 6 (SIGABRT); stderr: no absolute value",
        _ => false,
    };
    let is_answer = |o: &Observation| matches!(o, Observation::Outputs { values, .. } if *values == input);
    assert_eq!(seen.iter().map(is_death).collect::<Vec<_>>(), [false, true, false, false, true, false], "{seen:?}");
    assert!([0, 3, 5].iter().all(|at| is_answer(&seen[*at])), "{seen:?}");
    assert!(matches!(&seen[2], Observation::Refused { .. } | Observation::NotRun { .. }), "{seen:?}");
    // The death of a copy that had another session before only counts if a new copy dies, too.
    let neg = model("Neg", 13, &[f], f);
    let jobs = [Job::new(&abs, &input), Job::new(&identity, &input), Job::new(&neg, &input), Job::again(&neg, &input)];
    let seen = runner.run_batch(&jobs, Duration::from_secs(10));
    assert_eq!(seen.iter().map(is_answer).collect::<Vec<_>>(), [false, true, true, true], "{seen:?}");
}

#[test]
fn the_onnx_package_is_a_backend() {
    let Some(python) = python("onnx.reference") else { return };
    let mut runner = start(&python, "python/onnx_reference_adapter.py");
    let f = "tensor(float)";
    let sum = output(runner.as_mut(), &model("Add", 14, &[f, f], f), &[float(&[1.0]), float(&[0.5])]);
    assert_eq!(sum, float(&[1.5]));
    for dtype in [DType::Float16, DType::Bfloat16, DType::Int4, DType::Bool, DType::Uint64] {
        let kind = format!("tensor({dtype})");
        let value = [numbers(dtype, &[1.0, 0.0, 1.0])];
        assert_eq!(output(runner.as_mut(), &model("Identity", 21, &[&kind], &kind), &value), value[0]);
    }
    // The evaluator does not implement the first version of Clip.
    for (op, opset) in [("NoSuchOperator", 14), ("Clip", 1)] {
        let no = refusal(runner.as_mut(), &model(op, opset, &[f], f), &[float(&[1.0])]);
        assert_eq!(no.kind, RefusalKind::Unsupported, "{no}");
    }
}

#[cfg(unix)]
#[test]
fn a_program_that_speaks_something_else_does_not_start() {
    let start = |command: &str| {
        registry(Limits::default()).start(command).err().expect("the worker does not start").to_string()
    };
    assert!(start("process:echo hello to everybody").contains("its greeting is invalid"));
    assert!(start("process:true").contains("ended without a greeting: exit status: 0"));
    let error = start("process:sh -c 'echo no library >&2; exit 7'");
    assert!(error.contains("exit status: 7; stderr: no library"), "{error}");
}

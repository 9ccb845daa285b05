//! Measures how long the oracle takes for a published suite on one core (reading, running and judging), compared with
//! onnx's ReferenceEvaluator in the same run.
//!
//! Run it with `cargo bench -p plumbline-conformance --bench suite`. `PLUMBLINE_SUITE` selects a folder other than that
//! of onnx:1.23.2, and `PLUMBLINE_PYTHON` a Python that has onnx. The oracle and ReferenceEvaluator take turns, and the
//! reported ratio is the ratio of their medians.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

use plumbline_backend::Observation;
use plumbline_conformance::suite::CaseFolder;
use plumbline_conformance::{Right, SuiteCase, judge, suite_cases};
use plumbline_graph::RefusalKind;
use plumbline_oracle::Oracle;

/// Tensors are allocated and freed all the time. This allocator keeps their pages, and `cargo xtask` uses it as well.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const ROUNDS: usize = 5;

/// The number of slowest cases that are listed.
const SLOWEST: usize = 30;

fn workspace() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs a case and returns whether the published outputs are accepted, or `None` if the case cannot be read or the
/// oracle does not support it.
fn run(reference: &Oracle, case: &SuiteCase) -> Option<bool> {
    let folder = CaseFolder::read(&case.path).ok()?;
    let names = folder.model.output_names();
    let mut good = true;
    for set in &folder.data_sets {
        match reference.answer(&folder.model, &set.inputs) {
            Ok(outputs) => {
                let observation = Observation::Outputs { values: set.outputs.clone(), seconds: 0.0 };
                good &= judge(&Right::from(outputs), &names, &observation).kind.is_none();
            }
            Err(refusal) if refusal.kind == RefusalKind::Unsupported => return None,
            Err(_) => good = false,
        }
    }
    Some(good)
}

fn peer(python: &PathBuf, cases: &[&SuiteCase]) -> Option<(f64, String)> {
    let script = workspace().join("crates/conformance/scripts/time_reference_evaluator.py");
    let mut child = Command::new(python)
        .arg(script)
        .env("OMP_NUM_THREADS", "1")
        .env("OPENBLAS_NUM_THREADS", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let list: String = cases.iter().map(|c| format!("{}\n", c.path.display())).collect();
    child.stdin.take()?.write_all(list.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (seconds, rest) = text.trim().split_once(' ')?;
    Some((seconds.parse().ok()?, rest.to_owned()))
}

fn python() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("PLUMBLINE_PYTHON") {
        return Some(PathBuf::from(path));
    }
    let folders = std::fs::read_dir(workspace().join("target/python")).ok()?;
    folders.flatten().map(|e| e.path().join("bin/python")).find(|p| p.is_file() && p.to_string_lossy().contains("onnx"))
}

/// Returns the shortest time for a case over all rounds.
fn fastest(reference: &Oracle, case: &SuiteCase) -> f64 {
    let time = |_| {
        let start = Instant::now();
        let _ = run(reference, case);
        start.elapsed().as_secs_f64()
    };
    (0..ROUNDS).map(time).fold(f64::INFINITY, f64::min)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    let dir = std::env::var_os("PLUMBLINE_SUITE").map(PathBuf::from);
    let dir = dir.unwrap_or_else(|| workspace().join("target/suites/onnx-1.23.2"));
    let Ok(cases) = suite_cases("onnx", &dir) else {
        println!("{}: there is no suite; `cargo xtask suite fetch onnx:1.23.2` downloads it", dir.display());
        return;
    };
    let reference = Oracle::default();
    let known: Vec<&SuiteCase> = cases.iter().filter(|c| run(&reference, c).is_some()).collect();
    println!("the oracle runs {} of {} cases", known.len(), cases.len());
    let python = python();
    if python.is_none() {
        println!("ReferenceEvaluator is not measured without onnx; `cargo xtask spec import onnx --check` installs it");
    }
    let (mut own, mut others) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let start = Instant::now();
        let passed = known.iter().filter(|c| run(&reference, c) == Some(true)).count();
        own.push(start.elapsed().as_secs_f64());
        print!("round {round}: oracle {:.3} s, {passed} accepted", own[round]);
        match python.as_ref().and_then(|p| peer(p, &known)) {
            Some((seconds, counts)) => {
                others.push(seconds);
                println!("; ReferenceEvaluator {seconds:.3} s (passed failed refused: {counts})");
            }
            None => println!(),
        }
    }
    let mut slowest: Vec<(f64, &str)> =
        known.iter().map(|case| (fastest(&reference, case), case.name.as_str())).collect();
    slowest.sort_by(|a, b| b.0.total_cmp(&a.0));
    let total: f64 = slowest.iter().map(|(seconds, _)| seconds).sum();
    println!("the shortest times of all cases add up to {:.3} s, the slowest cases are:", total);
    for (seconds, name) in slowest.iter().take(SLOWEST) {
        println!("{:9.3} ms  {name}", seconds * 1e3);
    }
    let own = median(own);
    println!("oracle: {:.0} cases a second", known.len() as f64 / own);
    if !others.is_empty() {
        println!("ReferenceEvaluator takes {:.1} times as long", median(others) / own);
    }
}

//! Checks that the oracle accepts correctly rounded answers: the exact result of the formula, rounded once.
//!
//! `scripts/exact/backend.py` implements the text of ONNX's specification and computes the exact result with arbitrary
//! precision. This test runs it on a few cases for each cell, so that it takes only seconds. `scripts/exact/measure.py`
//! runs it on many cases and counts the results by type.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use plumbline_conformance::{CaseResult, Minimization, Run, Settings, Subject, Verdict, Work};
use plumbline_executor::{Options, Registry};
use plumbline_generator::cells;

use crate::common::Silent;

/// The number of cases for each cell.
const CASES: u64 = 2;

/// The types to which results are rounded.
const TYPES: [&str; 4] = ["float16", "bfloat16", "float", "double"];

fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/exact/backend.py")
}

/// Returns a Python that has the modules that the backend needs.
fn python() -> Option<String> {
    let python = std::env::var("PLUMBLINE_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let check = Command::new(&python).args(["-c", "import mpmath, ml_dtypes, onnx"]).output();
    if !check.is_ok_and(|done| done.status.success()) {
        eprintln!("SKIPPED: {python} does not have mpmath, ml_dtypes and onnx; `cargo xtask test` installs them");
        return None;
    }
    Some(python)
}

/// Returns the operators for which the backend has formulas.
fn operators(python: &str) -> BTreeSet<String> {
    let output = Command::new(python).arg(script()).arg("--operators").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

fn results(python: &str) -> Vec<CaseResult> {
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("exact");
    let _ = std::fs::remove_dir_all(&out);
    let options = Options { libraries: out.clone(), fetch: false, ..Options::default() };
    let registry = Arc::new(Registry::new(options));
    let name = format!("process:'{python}' '{}'", script().display());
    let open = {
        let name = name.clone();
        move || registry.start(&name).map_err(|e| e.to_string())
    };
    let subjects = [Subject::start(&name, Box::new(open)).unwrap()];
    let settings = Settings {
        cases: CASES,
        negative_cases: 0,
        deadline: Duration::from_secs(60),
        out: out.clone(),
        minimization: Minimization::Off,
        ..Settings::default()
    };
    let known = operators(python);
    let rounds = |id: &str| TYPES.iter().any(|t| id.ends_with(&format!("={t}")));
    let wanted = cells().into_iter().filter(|c| known.contains(&c.version.id.name) && rounds(&c.to_string()));
    let run = Run { settings: &settings, subjects: &subjects, expectations: &[], progress: &Silent };
    let outcome = run.run(wanted.map(|cell| Work::Cell(cell, None)).collect()).unwrap();
    assert!(outcome.broken.is_empty(), "{:?}", outcome.broken);
    let text = std::fs::read_to_string(out.join("results.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn correctly_rounded_answers_are_accepted() {
    let Some(python) = python() else { return };
    let results = results(&python);
    let judged = |r: &&CaseResult| matches!(r.verdict, Verdict::Pass | Verdict::Latitude);
    let wrong: Vec<String> = results
        .iter()
        .filter(|r| r.verdict != Verdict::Unsupported && !judged(r))
        .map(|r| format!("{}: {:?}: {}", r.case, r.verdict, r.detail.as_deref().unwrap_or("")))
        .collect();
    assert!(wrong.is_empty(), "{} correctly rounded answers were rejected:\n{}", wrong.len(), wrong.join("\n"));
    let passed = || results.iter().filter(|r| r.verdict == Verdict::Pass);
    let operators: BTreeSet<&str> = passed().map(|r| r.op.as_str()).collect();
    assert!(operators.len() >= 60, "only {} operators were judged: {operators:?}", operators.len());
    let mut by_type: BTreeMap<&str, usize> = BTreeMap::new();
    for dtype in passed().flat_map(|r| TYPES.iter().filter(|t| r.case.contains(&format!("={t}/")))) {
        *by_type.entry(dtype).or_default() += 1;
    }
    println!("{} operators; numbers of passed cases by type: {by_type:?}", operators.len());
    assert!(TYPES.iter().all(|t| by_type.get(t).is_some_and(|&count| count > 100)), "{by_type:?}");
}

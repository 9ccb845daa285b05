//! Exports the canonical forms, and tests fused kernels against them as `examples/canonical` shows.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use crate::Session;

/// The smallest profile, at seed 0.
const EXPORT: [&str; 5] = ["export", "--suite", "canonical", "--out", "corpus"];

/// The bytes of a corpus do not depend on the machine, so that the hashes of models and inputs are those of everybody. What
/// is accepted is not among them: it changes when the oracle becomes more precise.
#[test]
fn models_and_inputs_of_canonical_forms_have_these_hashes() {
    let mut session = Session::new();
    session.run(&EXPORT);
    let lines = std::fs::read_to_string(session.path("corpus/manifest/1-of-1.jsonl")).unwrap();
    let mut hashes = String::new();
    for line in lines.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        writeln!(hashes, "{}", line["id"].as_str().unwrap()).unwrap();
        for (name, hash) in line["files"].as_object().unwrap() {
            if name == "model.onnx" || name.starts_with("test_data_set_0/input_") {
                writeln!(hashes, "  {} {name}", hash.as_str().unwrap()).unwrap();
            }
        }
    }
    insta::assert_snapshot!(hashes);
}

#[test]
fn fused_kernels_are_judged_by_canonical_forms() {
    let python = std::env::var("PLUMBLINE_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let check = Command::new(&python).args(["-c", "import numpy, onnx, ml_dtypes"]).output();
    if !check.is_ok_and(|done| done.status.success()) {
        eprintln!("SKIPPED: {python} cannot import numpy, onnx and ml_dtypes");
        return;
    }
    let mut session = Session::new();
    session.run(&EXPORT);
    let corpus = session.path("corpus");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/canonical/fused_kernels.py");
    let run = |arguments: &[&std::ffi::OsStr]| {
        let done = Command::new(&python).args(arguments).env("PYTHONDONTWRITEBYTECODE", "1").output().unwrap();
        let said = [&done.stdout, &done.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat();
        (done.status.code(), said)
    };
    let (code, said) = run(&[script.as_os_str(), corpus.as_os_str()]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.lines().count() >= 15 && said.lines().all(|line| line.ends_with(": 0 of 4 cases fail")), "{said}");
    // Every form has a kernel with a mistake, and each mistake is found.
    let (code, said) = run(&[script.as_os_str(), corpus.as_os_str(), "--wrong".as_ref()]);
    assert_eq!(code, Some(0), "{said}");
    assert!(!said.contains(": 0 of "), "{said}");
    // The same kernels as a runner of the judge.
    let judge = corpus.join("judge.py");
    let (code, said) = run(&[
        judge.as_os_str(),
        corpus.as_os_str(),
        "--runner".as_ref(),
        script.as_os_str(),
        "--only".as_ref(),
        "canonical/g*".as_ref(),
    ]);
    assert_eq!(code, Some(0), "{said}");
}

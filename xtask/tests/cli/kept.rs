//! Tests the suite of kept cases, and the option `--keep`, which adds a failed case to this suite.

use crate::{CONFORMS, DOES_NOT_CONFORM, Ending, Here, USAGE};

#[test]
fn kept_cases_run_as_a_suite() {
    let here = Here::new();
    let regressions = |backend: &str, more: &[&str]| {
        let usual = ["conformance", "--suite", "regressions", "--backend", backend, "--out", "out"];
        here.run(&[&usual, more].concat())
    };
    regressions("mock:ok", &[]).is(CONFORMS, &["conforms"]);
    assert!(here.verdicts().len() > 10 && here.verdicts().iter().all(|v| v == "pass"), "{:?}", here.verdicts());
    let lines = std::fs::read_to_string(here.path("out/results.jsonl")).unwrap();
    let line = lines.lines().find(|line| line.contains("regressions/Pow-int64-by-int32")).unwrap();
    assert!(line.contains(r#""suite":"regressions""#) && line.contains(r#""T":"int64","T1":"int32""#), "{line}");
    let known = here.file("known.toml", crate::KNOWN.replace("Floor-13", "Pow"));
    // The kept cases of an operator do not make an entry stale, unless the entry names a suite or a case.
    regressions("mock:ok", &["--gate", "--expectations", &known]).is(CONFORMS, &["conforms"]);
    regressions("mock:lie", &["--op", "Pow"]).is(DOES_NOT_CONFORM, &["fail (wrong-value): regressions/Pow-"]);
    here.run(&["replay", "regressions/Pow-int64-by-int32", "--backend", "mock:lie"])
        .is(DOES_NOT_CONFORM, &["case     regressions/Pow-int64-by-int32", "-60236288000"]);
}

/// Uses a workspace of its own, so that no case is kept in this one.
#[test]
fn a_failure_is_kept_as_a_case() {
    let here = Here::new();
    std::fs::create_dir_all(here.path("xtask/src")).unwrap();
    here.file("xtask/src/main.rs", "");
    let run = |arguments: &[&str]| {
        let mut command = here.command(arguments);
        Ending::read(command.env("CARGO_MANIFEST_DIR", here.path("xtask")).output().unwrap())
    };
    let suite = ["conformance", "--suite", "regressions", "--backend", "mock:lie", "--out", "out"];
    run(&suite).is(USAGE, &["generators/regressions: No such file"]);
    std::fs::create_dir_all(here.path("generators/regressions")).unwrap();
    run(&suite).is(USAGE, &["generators/regressions: the folder has no kept case"]);
    let repro = here.repro().display().to_string();
    let keep = |name: &str| run(&["replay", &repro, "--backend", "mock:lie", "--keep", name, "--reason", "it lies"]);
    keep("Ceil-lie").is(USAGE, &["`Ceil-lie` is not a valid name", "begin with `Floor-`"]);
    keep("Floor-lie").is(DOES_NOT_CONFORM, &["generators/regressions/Floor-lie", "verdict  fail"]);
    keep("Floor-lie").is(USAGE, &["a case of this name already exists"]);
    run(&["replay", &repro, "--backend", "mock:lie", "--keep", "Floor-why"]).is(USAGE, &["--reason <TEXT>"]);
    run(&suite).is(DOES_NOT_CONFORM, &["fail (wrong-value): regressions/Floor-lie"]);
    run(&["replay", "regressions/Floor-lie", "--backend", "mock:ok"]).is(CONFORMS, &["verdict  pass"]);
    std::fs::remove_file(here.path("generators/regressions/Floor-lie/case.toml")).unwrap();
    run(&suite).is(USAGE, &["Floor-lie/case.toml: No such file"]);
}

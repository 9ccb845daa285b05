//! `cargo xtask spec` from the outside: what it prints and the codes it exits with.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn xtask() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.env_remove("PLUMBLINE_PYTHON").env("NO_COLOR", "1").arg("spec");
    command
}

/// Exit code, stdout, stderr.
fn run(arguments: &[&str]) -> (i32, String, String) {
    let output = xtask().args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn page(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/spec/tests/fixtures/pages").join(name)
}

#[test]
fn list() {
    let (code, text, _) = run(&["list"]);
    assert_eq!(code, 0);
    assert!(text.contains("\nMin ") && text.ends_with("227 operators, 659 versions\n"), "{text}");
    let (code, text, _) = run(&["list", "--domain", "ai.onnx.ml", "--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(code, 0);
    assert!(value.as_array().unwrap().iter().all(|operator| operator["domain"] == "ai.onnx.ml"));
    let (code, _, error) = run(&["list", "--domain", "nowhere"]);
    assert_eq!(code, 2);
    assert!(error.starts_with("error: no domain is called `nowhere`; there are ai.onnx, ai.onnx.ml"), "{error}");
}

#[test]
fn show() {
    let (code, text, _) = run(&["show", "Min"]);
    assert_eq!(code, 0);
    for part in ["Min-6, Min-8, Min-12, Min-13", "tensor(bfloat16)   .   .   .   .   x", "C1 (..=6) constraint"] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let (_, text, _) = run(&["show", "Min-13", "--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["versions"][0]["since"], 13);
    assert_eq!(value["rules"]["constraint"][0]["id"], "C2");
}

#[test]
fn names_that_are_not() {
    let (code, _, error) = run(&["show", "Flor"]);
    assert_eq!((code, error.as_str()), (2, "error: no operator is called `Flor`; nearest: Floor\n"));
    let (code, _, error) = run(&["diff", "Min", "6", "7"]);
    assert_eq!(code, 2);
    assert!(error.contains("Min has no version 7, only 1, 6, 8, 12, 13; a model of that opset uses Min-6"), "{error}");
}

#[test]
fn diff() {
    let (code, text, _) = run(&["diff", "Min", "12", "13"]);
    assert_eq!((code, text.as_str()), (0, "Min-12 to Min-13\n  + types T: tensor(bfloat16)\n"));
    let (_, text, _) = run(&["diff", "Min", "12", "13", "--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["changes"][0]["change"], "added");
    let (_, text, _) = run(&["diff", "Min", "--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value.as_array().unwrap().len(), 4);
}

#[test]
fn check_page() {
    let floor = page("floor.txt");
    let (code, text, _) = run(&["check-page", floor.to_str().unwrap()]);
    assert_eq!(code, 0, "{text}");
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let wrong = dir.join("wrong.txt");
    let text = std::fs::read_to_string(&floor).unwrap();
    std::fs::write(&wrong, text.replacen("tensor(double), ", "", 1)).unwrap();
    let (code, text, _) = run(&["check-page", floor.to_str().unwrap(), wrong.to_str().unwrap()]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("wrong.txt:39: Floor-6: types of T"), "{text}");
    let broken = dir.join("broken.txt");
    std::fs::write(&broken, b"Floor - 6\n\xff").unwrap();
    let missing = dir.join("missing.txt");
    for path in [broken, missing, page("../../load.rs")] {
        let (code, _, error) = run(&["check-page", path.to_str().unwrap()]);
        assert_eq!(code, 2, "{error}");
        assert!(error.contains(path.to_str().unwrap()), "{error}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = xtask().args(["show", "Cast"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let mut error = String::new();
    child.stderr.take().unwrap().read_to_string(&mut error).unwrap();
    assert_eq!((child.wait().unwrap().code(), error.as_str()), (Some(0), ""));
}

#[test]
fn without_python_an_import_says_what_is_missing() {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-python");
    let import = |variable: Option<&str>| {
        let mut command = xtask();
        command.args(["import", "onnx", "--check"]).env("PATH", "").env("CARGO_TARGET_DIR", &target);
        if let Some(python) = variable {
            command.env("PLUMBLINE_PYTHON", python);
        }
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, error) = import(None);
    assert_eq!(code, Some(2));
    assert!(error.contains("Python 3.10 or later is needed"), "{error}");
    let (code, error) = import(Some("/nowhere/python"));
    assert_eq!(code, Some(2));
    assert!(error.contains("PLUMBLINE_PYTHON is /nowhere/python, which is not a Python that starts"), "{error}");
}

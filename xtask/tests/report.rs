//! `cargo xtask report` from the outside: what it writes, what it says and its exit code.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::path::Path;
use std::process::Command;

const LINE: &str = r#"{"case":"Min-13/T=float/0@0","suite":"generated","domain":"ai.onnx","op":"Min","since":13,"types":{"T":"float"},"backend":"rten 0.27.0","verdict":"pass"}"#;

/// Returns the exit code, stdout and stderr of a report on these results.
fn run(folder: &Path, results: &str, arguments: &[&str]) -> (i32, String, String) {
    let path = folder.join("results.jsonl");
    std::fs::write(&path, results).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.args(["report", "--results"]).arg(path).args(arguments);
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// Returns an empty folder for this test.
fn folder(name: &str) -> std::path::PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn files_are_written_beside_the_results() {
    let folder = folder("beside");
    let (code, text, error) = run(&folder, &format!("{LINE}\n"), &[]);
    assert_eq!(code, 0, "{error}");
    assert!(text.starts_with("1 results of 1 operators on 1 backends: "), "{text}");
    for name in ["index.html", "junit.xml", "summary.md", "summary.json"] {
        assert!(folder.join(name).is_file(), "{name}");
    }
    let page = std::fs::read_to_string(folder.join("index.html")).unwrap();
    assert!(page.contains("there is no run.json beside the results"), "the page does not say that run.json is missing");
}

#[test]
fn the_facts_of_the_run_are_read() {
    let folder = folder("facts");
    std::fs::write(folder.join("run.json"), r#"{"title":"A <title>","seed":"42"}"#).unwrap();
    let (code, ..) = run(&folder, &format!("{LINE}\n"), &[]);
    assert_eq!(code, 0);
    let page = std::fs::read_to_string(folder.join("index.html")).unwrap();
    assert!(page.contains("<h1>A &lt;title&gt;</h1>") && page.contains("seed <code>42</code>"));
}

#[test]
fn a_killed_run_has_a_report() {
    let folder = folder("killed");
    let (code, text, error) = run(&folder, &format!("{LINE}\n{}", &LINE[..30]), &[]);
    assert_eq!(code, 0, "{error}");
    assert!(text.starts_with("1 results") && error.contains("the last line is cut off"), "{text} {error}");
}

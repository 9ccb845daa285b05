//! `cargo xtask spec` and `cargo xtask directml compatibility` from the outside: what they print, and their exit codes.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use plumbline_spec::Spec;

fn xtask() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.env_remove("PLUMBLINE_PYTHON").env("NO_COLOR", "1").arg("spec");
    command
}

/// Returns the exit code, stdout and stderr.
fn run(arguments: &[&str]) -> (i32, String, String) {
    let output = xtask().args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn page(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/spec/tests/fixtures/pages").join(name)
}

#[test]
fn list_shows_operators_and_versions() {
    let (code, text, _) = run(&["list"]);
    assert_eq!(code, 0);
    let spec = Spec::embedded();
    let last = format!("{} operators, {} versions\n", spec.operators().count(), spec.versions().count());
    assert!(text.contains("\nMin ") && text.ends_with(&last), "{text}");
    let (code, text, _) = run(&["list", "--domain", "ai.onnx.ml", "--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(code, 0);
    assert!(value.as_array().unwrap().iter().all(|operator| operator["domain"] == "ai.onnx.ml"));
}

#[test]
fn diffs_of_all_versions_are_a_list() {
    let diffs = |operator: &str| {
        let (_, text, _) = run(&["diff", operator, "--format", "json"]);
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        value.as_array().unwrap().clone()
    };
    assert_eq!(diffs("Min").len(), 4);
    let steps: Vec<_> = diffs("DML_OPERATOR_ELEMENT_WISE_MIN").iter().map(|diff| diff["to"].clone()).collect();
    assert_eq!(steps, ["2_1", "3_0", "5_0"]);
}

#[test]
fn check_page_compares_pages_with_the_specifications() {
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

/// Returns the rows of the tables in a text, without the heads of the tables, with `|` between cells.
fn cells(text: &str) -> Vec<String> {
    let row = |line: &str| line.split('|').map(str::trim).collect::<Vec<_>>().join("|");
    let rows = text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| --")).map(row);
    rows.filter(|row| !row.starts_with("|Tensor|")).collect()
}

#[test]
fn show_prints_an_operator_of_directml() {
    let (code, text, _) = run(&["show", "DML_OPERATOR_ELEMENT_WISE_MIN"]);
    assert_eq!(code, 0);
    // The tables equal those of the page, whatever the widths of their columns are.
    let fixture = std::fs::read_to_string(page("directml_min.md")).unwrap();
    let headings =
        |text: &str| text.lines().filter(|line| line.starts_with("### DML_")).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!((cells(&text), headings(&text)), (cells(&fixture), headings(&fixture)));
    let (_, short, _) = run(&["show", "ELEMENT_WISE_MIN"]);
    assert_eq!(short, text);
    for (level, block) in
        [("1_0", 3), ("2_0", 3), ("2_1", 2), ("3_0", 1), ("DML_FEATURE_LEVEL_4_1", 1), ("5_0", 0), ("6_4", 0)]
    {
        let (_, at, _) = run(&["show", "DML_OPERATOR_ELEMENT_WISE_MIN", "--level", level]);
        assert_eq!(cells(&at), cells(&fixture)[block * 3..][..3], "{level}");
    }
    let (_, json, _) = run(&["show", "DML_OPERATOR_ELEMENT_WISE_MIN", "--level", "2_1", "--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["support"][0]["tensors"][1]["dimension_counts"], serde_json::json!({"min": 4, "max": 4}));
    let (_, text, _) = run(&["list", "--domain", "directml"]);
    assert!(text.contains("DML_OPERATOR_ELEMENT_WISE_MIN ") && text.contains("  1_0 2_1 3_0 5_0\n"), "{text}");
    let counts = text.lines().last().unwrap();
    assert!(counts.starts_with("177 operators; ") && counts.ends_with(" that their pages leave open"), "{counts}");
}

#[test]
fn check_page_compares_pages_of_directml() {
    let (min, join) = (page("directml_min.md"), page("directml_join.md"));
    let (code, text, _) = run(&["check-page", min.to_str().unwrap(), join.to_str().unwrap()]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("0 disagreements on DML_OPERATOR_ELEMENT_WISE_MIN\n"), "{text}");
    let wrong = Path::new(env!("CARGO_TARGET_TMPDIR")).join("directml_wrong.md");
    let text = std::fs::read_to_string(&min).unwrap();
    std::fs::write(&wrong, text.replacen("| 1 to 8 |", "| 1 to 9 |", 1)).unwrap();
    let (code, text, _) = run(&["check-page", wrong.to_str().unwrap()]);
    assert_eq!(code, 1, "{text}");
    assert!(
        text.contains(
            "DML_OPERATOR_ELEMENT_WISE_MIN: 5_0 ATensor dimension counts: 1 to 9 on the page, 1 to 8 in specs"
        ),
        "{text}"
    );
    std::fs::write(&wrong, "DML_TENSOR_DESC\n").unwrap();
    let (code, _, error) = run(&["check-page", wrong.to_str().unwrap()]);
    assert!(code == 2 && error.contains("the page has no operator of DirectML"), "{error}");
}

#[test]
fn an_import_of_directml_needs_its_tables() {
    let (code, _, error) = run(&["import", "directml"]);
    assert!(code == 2 && error.contains("--from"), "{error}");
    let (code, _, error) = run(&["import", "directml", "--check", "--from", "/nowhere"]);
    assert!(code == 2 && error.contains("cannot read /nowhere/dml_operators.json"), "{error}");
}

#[test]
fn compatibility_lists_levels_and_obstacles() {
    let compatibility = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        let output = command.args(["directml", "compatibility"]).args(arguments).output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
    };
    let (code, text) = compatibility(&["--op", "Min-13"]);
    assert_eq!(code, 0);
    for row in [
        "| T | float, float16 | 1_0 | ELEMENT_WISE_MIN, ELEMENT_WISE_IDENTITY | 4 from 1_0; 1 to 8 from 3_0 |  |",
        "| T | int16, int32, int8, uint16, uint32, uint8 | 2_1 | ELEMENT_WISE_MIN, ",
        "| T | int64, uint64 | 5_0 | ELEMENT_WISE_MIN, ELEMENT_WISE_IDENTITY | 1 to 8 from 5_0 |  |",
        "| T | bfloat16 | never | ",
        "| T | double | never | ",
    ] {
        assert!(text.contains(row), "{row}\n{text}");
    }
    let (_, text) = compatibility(&["--op", "Min-13", "--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value[0]["version"], "Min-13");
    let (_, text) = compatibility(&["--unsupported", "--op", "Tile"]);
    assert!(text.contains("| Tile-13 | T | double | InputTensor of TILE |"), "{text}");
    let (code, text) = compatibility(&["--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((code, value.as_array().unwrap().len()), (0, Spec::embedded().versions().count()));
}

#[test]
fn a_closed_stdout_is_not_an_error() {
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
    assert!(error.contains("PLUMBLINE_PYTHON is /nowhere/python, which cannot be started as Python"), "{error}");
}

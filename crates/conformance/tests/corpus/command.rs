//! The judge of a corpus as a command: its exit codes, and what it refuses.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use plumbline_conformance::{Selection, Settings, Work};
use plumbline_generator::cells;

use crate::{cells_of, contents, export, export_with, python, settings};

/// A runner that computes Floor, or does what the variable `MODE` says.
const RUNNER: &str = r#"
import os, time
import numpy

if os.environ["MODE"] == "broken":
    raise RuntimeError("no runtime")

def prepare(model):
    def run(inputs):
        if os.environ["MODE"] == "crash":
            os._exit(9)
        if os.environ["MODE"] == "hang":
            time.sleep(60)
        print("a runtime that prints")
        (x,) = inputs.values()
        return [numpy.floor(x) + (os.environ["MODE"] == "wrong")]
    return run
"#;

/// Runs the judge of a corpus, and returns its exit code, stdout and stderr.
fn judge_command(python: &str, corpus: &Path, mode: &str, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(python);
    command.arg(corpus.join("judge.py")).arg(corpus).args(arguments).env("MODE", mode);
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// Runs a script that imports the judge of a corpus, and returns what it prints.
fn printed_by(python: &str, script: &str, corpus: &Path, arguments: &[&OsStr]) -> String {
    let mut command = Command::new(python);
    let output = command.args(["-c", script]).args(arguments).env("PYTHONPATH", corpus).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_judge_is_a_command_with_exit_codes() {
    let Some(python) = python() else { return };
    let dir = tempfile::tempdir().unwrap();
    let corpus = dir.path().join("corpus");
    let floats = || cells().into_iter().filter(|c| c.to_string() == "Floor-13/T=float").map(|c| Work::Cell(c, None));
    // In other forms the model may have no inputs.
    let selection = Selection::default().in_forms(&["as-drawn"]).unwrap();
    let drawn = Settings { selection, ..settings(&corpus) };
    export_with(drawn, u64::MAX, "opencl-full", floats().collect()).unwrap();
    let runner = dir.path().join("runner.py");
    std::fs::write(&runner, RUNNER).unwrap();
    let runner = runner.display().to_string();
    let judge =
        |mode: &str, more: &[&str]| judge_command(&python, &corpus, mode, &[&["--runner", &runner], more].concat());
    let (code, rows, said) = judge("right", &["--jobs", "2", "--deadline", "60"]);
    assert_eq!(code, Some(0), "{said}\n{rows}");
    assert_eq!(
        rows.lines().filter(|row| row.contains("\"verdict\": \"pass\"")).count(),
        rows.lines().count(),
        "{rows}"
    );
    for (mode, verdict) in [("wrong", "fail"), ("crash", "crash"), ("hang", "timeout")] {
        let deadline = if mode == "hang" { "1" } else { "60" };
        let (code, rows, said) = judge(mode, &["--limit", "2", "--deadline", deadline]);
        assert_eq!(code, Some(1), "{mode}: {said}");
        assert!(rows.contains(&format!("\"verdict\": \"{verdict}\"")), "{mode}: {rows}");
    }
    let (code, _, said) = judge("broken", &[]);
    assert!(code == Some(3) && said.contains("does not start: RuntimeError: no runtime"), "{said}");
    let (code, _, said) = judge("right", &["--only", "Ceil-*"]);
    assert!(code == Some(4) && said.contains("no case matches"), "{said}");
    let check = || judge_command(&python, &corpus, "right", &["--check"]);
    assert_eq!(check().0, Some(0));
    let case = corpus.join("generated/Floor-13/T=float/test_0");
    let refused = |change: &dyn Fn(), back: &dyn Fn(), words: &str| {
        change();
        let (code, _, said) = check();
        assert!(code == Some(2) && said.contains(words), "{words}: {said}");
        back();
        assert_eq!(check().0, Some(0), "{words}");
    };
    let model = case.join("model.onnx");
    let bytes = std::fs::read(&model).unwrap();
    let write_model = || std::fs::write(&model, &bytes).unwrap();
    refused(&|| std::fs::remove_file(&model).unwrap(), &write_model, "model.onnx is missing");
    refused(&|| std::fs::write(&model, "x").unwrap(), &write_model, "has another hash");
    let stray = corpus.join("generated/stray/test_data_set_0/accept_0_low.pb");
    std::fs::create_dir_all(stray.parent().unwrap()).unwrap();
    let remove = || std::fs::remove_file(&stray).unwrap();
    refused(&|| std::fs::write(&stray, "x").unwrap(), &remove, "is part of a case that has no model.onnx");
    let lines = corpus.join("manifest/1-of-1.jsonl");
    let text = std::fs::read(&lines).unwrap();
    let write_lines = || std::fs::write(&lines, &text).unwrap();
    refused(&|| std::fs::write(&lines, "").unwrap(), &write_lines, "1-of-1.jsonl has another hash");
    let head = corpus.join("manifest/1-of-1.json");
    let text = std::fs::read_to_string(&head).unwrap();
    let write_head = || std::fs::write(&head, &text).unwrap();
    let of_format_2 = text.replace("\"format\": 1,", "\"format\": 2,");
    refused(&|| std::fs::write(&head, &of_format_2).unwrap(), &write_head, "1-of-1.json has the format 2; this judge");
}

#[test]
fn parts_that_differ_or_are_missing_are_no_corpus() {
    let Some(python) = python() else { return };
    let dir = tempfile::tempdir().unwrap();
    let corpus = dir.path().join("corpus");
    let check = |more: &[&str]| judge_command(&python, &corpus, "right", &[&["--check"], more].concat());
    for number in [1, 2] {
        let out = dir.path().join(format!("part{number}"));
        export_with(Settings { shard: (number, 2), ..settings(&out) }, u64::MAX, "opencl-full", cells_of("Floor"))
            .unwrap();
        for (name, bytes) in contents(&out) {
            let path = corpus.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        if number == 1 {
            let (code, _, said) = check(&[]);
            assert!(code == Some(2) && said.contains("has 1 of 2 parts, missing: 2"), "{said}");
            assert_eq!(check(&["--incomplete"]).0, Some(0));
        }
    }
    assert_eq!(check(&[]).0, Some(0));
    let path = corpus.join("manifest/2-of-2.json");
    let head: serde_json::Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    let mut changed = Vec::new();
    let mut change = |key: &str, value: Option<serde_json::Value>, words: String| {
        let mut other = head.clone();
        match value {
            Some(value) => other[key] = value,
            None => drop(other.as_object_mut().unwrap().remove(key)),
        }
        changed.push((other.to_string(), words));
    };
    for key in ["plumbline", "seed", "profile", "cases_per_cell", "negative_cases", "arithmetic", "selection", "suites"]
    {
        for (value, word) in [(Some("other".into()), "other"), (None, "None")] {
            change(key, value, format!("2-of-2.json has another {key} than 1-of-2.json: {word}, not "));
        }
    }
    change("shard", Some(serde_json::json!([2, 3])), "has parts of corpora with [2, 3] parts".to_owned());
    change("manifest", None, "2-of-2.json has no `manifest`".to_owned());
    let heads: Vec<&str> = changed.iter().map(|(head, _)| head.as_str()).collect();
    let heads = format!("[{}]", heads.join(","));
    let said = printed_by(&python, READ, &corpus, &[corpus.as_ref(), path.as_ref(), heads.as_ref()]);
    assert_eq!(said.lines().count(), changed.len(), "{said}");
    for (said, (_, words)) in said.lines().zip(&changed) {
        assert!(said.contains(words), "{words}: {said}");
    }
}

/// Writes each of the given heads into a part's manifest, reads the corpus, and prints what is wrong with it.
const READ: &str = r#"
import judge, json, sys
for head in json.loads(sys.argv[3]):
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump(head, file)
    try:
        judge.read_corpus(sys.argv[1])
        print("nothing is wrong")
    except judge.CorpusError as error:
        print(error)
"#;

/// Judges the folder of a case from Python, as a test that walks folders does.
const WALK: &str = r#"
import judge, sys
try:
    print(judge.judge_case(sys.argv[1], RuntimeError("no memory")).verdict)
except judge.CorpusError as error:
    print(error)
"#;

#[test]
fn the_judge_of_a_single_folder_says_what_the_folder_lacks() {
    let Some(python) = python() else { return };
    let dir = tempfile::tempdir().unwrap();
    let corpus = dir.path().join("corpus");
    export(&corpus, cells_of("Floor")).unwrap();
    let case = corpus.join("generated/Floor-13/T=float/test_0");
    let judged = || printed_by(&python, WALK, &corpus, &[case.as_ref()]).trim_end().to_owned();
    assert_eq!(judged(), "fail");
    let facts = case.join("case.json");
    let text = std::fs::read_to_string(&facts).unwrap();
    let of_format_2 = text.replacen("\"format\":1,", "\"format\":2,", 1);
    assert!(of_format_2 != text, "{text}");
    std::fs::write(&facts, of_format_2).unwrap();
    assert_eq!(judged(), format!("{} has the format 2; this judge reads format 1", facts.display()));
    std::fs::write(&facts, text).unwrap();
    std::fs::remove_file(case.join("model.onnx")).unwrap();
    let missing = "says what is accepted, but has no model: model.onnx is missing";
    assert_eq!(judged(), format!("{} {missing}", case.display()));
    std::fs::remove_file(&facts).unwrap();
    assert_eq!(judged(), format!("{} is missing", facts.display()));
}

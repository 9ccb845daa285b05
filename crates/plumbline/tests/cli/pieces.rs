//! Tests runs of listed cells (`--list` prints what `--only` reads), and the annotations that name the causes of the
//! failures of a run.

use std::collections::BTreeSet;

use crate::{Session, plumbline};

/// An expectation that matches nothing.
const KNOWN: &str = "backend = \"mock:ok\"\n\n[[expect]]\nop = \"Floor-13\"\nverdict = \"crash\"\nblame = \"backend\"\nreason = \"a test\"\ncases = 1\n";

/// A backend whose refusals have lines that GitHub's runner would execute.
const HOSTILE: &str = "\
import sys
sys.path.append(sys.argv[1])
from plumbline_worker import Refusal, serve

def run(model, inputs):
    raise Refusal('failed', 'first\\n::set-output name=a::pwned\\n  ::add-mask::e\\n##[add-mask]e')

serve('hostile', '1', run=run)
";

fn text(session: &Session, arguments: &[&str]) -> (String, Option<i32>) {
    let output = plumbline(session.folder.path(), session.cache.path(), arguments);
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    (text, output.status.code())
}

#[test]
fn listed_cells_run_alone() {
    let session = Session::new();
    let (listed, code) = text(&session, &["conformance", "--op", "Floor-13", "--op", "Clip", "--list"]);
    assert_eq!(code, Some(0), "{listed}");
    let names: BTreeSet<&str> = listed.lines().collect();
    assert_eq!(names.len(), listed.lines().count(), "no name comes twice");
    assert!(names.contains("Floor-13/T=float16") && names.contains("regressions/Clip-bound-of-rank-1"), "{listed}");
    assert!(!session.path("plumbline-results").exists(), "a listing writes nothing");
    session.write("cells.txt", "# two\nFloor-13/T=float16\n\nregressions/Clip-bound-of-rank-1\n");
    session.write("known.toml", KNOWN);
    let run = ["conformance", "--backend", "mock:ok", "--op", "Floor-13", "--op", "Clip", "--cases", "2"];
    let (said, code) =
        text(&session, &[&run[..], &["--only", "cells.txt", "--expectations", "known.toml", "--gate"]].concat());
    // The expectation is not stale, because it may match a cell that is not listed.
    assert_eq!(code, Some(0), "{said}");
    let rows = std::fs::read_to_string(session.path("plumbline-results/results.jsonl")).unwrap();
    let rows: Vec<serde_json::Value> = rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
    let is_listed = |case: &str| case.starts_with("Floor-13/T=float16/") || case == "regressions/Clip-bound-of-rank-1";
    assert!(rows.len() > 2 && rows.iter().all(|row| is_listed(row["case"].as_str().unwrap())), "{rows:?}");
    let (said, code) = text(&session, &[&run[..], &["--expectations", "known.toml", "--gate"]].concat());
    assert!(code == Some(1) && said.contains("stale: known.toml:3"), "{said}");
    session.write("cells.txt", "Floor-13/T=float16\nFloor-13/T=int8\n");
    let (said, code) = text(&session, &[&run[..], &["--only", "cells.txt"]].concat());
    assert!(code == Some(2) && said.contains("--only cells.txt: Floor-13/T=int8 are no cells or cases of"), "{said}");
}

#[test]
fn annotations_name_causes_and_are_at_most_ten() {
    let session = Session::new();
    let run = ["conformance", "--backend", "mock:lie", "--op", "Floor", "--suite", "generated", "--cases", "8"];
    let (said, _) = text(&session, &[&run[..], &["--annotations", "github"]].concat());
    let annotations: Vec<&str> = said.lines().filter(|line| line.starts_with("::error ")).collect();
    assert!((2..=10).contains(&annotations.len()), "{said}");
    assert!(
        annotations[0].contains("%0A") && annotations[0].contains("repeat     plumbline replay "),
        "{}",
        annotations[0]
    );
    let (said, _) = text(&session, &run);
    assert!(!said.contains("::"), "nothing asked for annotations: {said}");
    let operators =
        ["Abs", "Acos", "Ceil", "Cos", "Erf", "Exp", "Floor", "Log", "Neg", "Round", "Sign", "Sin", "Sqrt", "Tan"];
    let mut all =
        vec!["conformance", "--backend", "mock:lie", "--cases", "4", "--annotations", "github", "--minimize", "off"];
    all.extend(["--dtype", "float", "--suite", "generated"]);
    all.extend(operators.iter().flat_map(|operator| ["--op", operator]));
    let (said, _) = text(&session, &all);
    let annotations: Vec<&str> = said.lines().filter(|line| line.starts_with("::error ")).collect();
    assert_eq!(annotations.len(), 10, "{said}");
    assert!(
        annotations[9].ends_with("more results with other causes: plumbline-results/index.html"),
        "{}",
        annotations[9]
    );
}

#[test]
fn nothing_that_a_backend_says_is_a_command_of_the_runner() {
    let python = std::env::var("PLUMBLINE_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    if !std::process::Command::new(&python).arg("--version").output().is_ok_and(|output| output.status.success()) {
        eprintln!("SKIPPED: there is no Python");
        return;
    }
    let session = Session::new();
    session.write("hostile.py", HOSTILE);
    let modules = concat!(env!("CARGO_MANIFEST_DIR"), "/../../python");
    let backend = format!("process:'{python}' hostile.py '{modules}'");
    let run = ["conformance", "--backend", &backend, "--op", "Floor-13", "--suite", "generated", "--cases", "1"];
    let (said, code) = text(&session, &[&run[..], &["--annotations", "github"]].concat());
    assert_eq!(code, Some(1), "{said}");
    let lines: Vec<&str> = said.lines().collect();
    let word = lines[0].strip_prefix("::stop-commands::").expect("the first line turns the runner's commands off");
    assert_eq!(word.len(), 32);
    let end = lines.iter().position(|line| *line == format!("::{word}::")).expect("a line turns the commands on again");
    assert!(
        lines[..end].iter().any(|line| line.trim_start().starts_with("::add-mask")),
        "the backend printed no command of the runner: {said}"
    );
    assert!(lines[end + 1..].iter().all(|line| line.starts_with("::error title=Floor-13/")), "{said}");
    assert!(lines[end + 1].contains("first%0A"), "{said}");
    let (again, _) = text(&session, &[&run[..], &["--annotations", "github"]].concat());
    assert_ne!(again.lines().next(), lines.first().copied(), "the word can be guessed");
}

//! Runs the script of the GitHub Action (`scripts/action.sh`) as the runner does, with this command.

use std::path::Path;
use std::process::Command;

use crate::Session;

/// Runs the step `run` with these inputs. Returns what it printed and its exit code.
fn step(session: &Session, inputs: &[(&str, &str)]) -> (String, Option<i32>) {
    let program = Path::new(env!("CARGO_BIN_EXE_plumbline"));
    let path = std::env::var("PATH").unwrap();
    let mut command = Command::new("bash");
    command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/action.sh")).arg("run");
    command.current_dir(session.folder.path()).env("PATH", format!("{}:{path}", program.parent().unwrap().display()));
    command.env("PLUMBLINE_CACHE", session.cache.path()).env("NO_COLOR", "1").env("GITHUB_ACTIONS", "true");
    command.env("GITHUB_OUTPUT", session.path("output")).env("GITHUB_STEP_SUMMARY", session.path("summary"));
    command.envs(inputs.iter().copied());
    let output = command.output().unwrap();
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    (text, output.status.code())
}

#[test]
fn the_action_runs_and_writes_summary_outputs_and_annotations() {
    let session = Session::new();
    let args = "--op\nFloor-13\n--suite\ngenerated\n--cases\n3\n";
    let inputs = [("INPUT_BACKEND", "mock:lie\nmock:ok\n"), ("INPUT_ARGS", args), ("INPUT_OUT", "my results")];
    let (said, code) = step(&session, &inputs);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("::error title=Floor-13/"), "{said}");
    let read = |name: &str| std::fs::read_to_string(session.path(name)).unwrap();
    let report = session.path("my results").canonicalize().unwrap();
    assert_eq!(read("output"), format!("exit-code=1\nreport={}\n", report.display()));
    assert!(read("summary").contains("mock:lie") && read("summary").contains("mock:ok"), "{}", read("summary"));
    assert!(session.path("my results/index.html").is_file());
    // The words of an input are no script.
    let inputs = [("INPUT_BACKEND", "$(touch pwned)`touch pwned`; touch pwned")];
    let (said, code) = step(&session, &inputs);
    assert!(code == Some(2) && !session.path("pwned").exists(), "{said}");
}

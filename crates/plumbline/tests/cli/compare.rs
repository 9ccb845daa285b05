//! Tests `plumbline compare`: output, exit codes and messages.

use crate::{Session, plumbline};

const FLOOR: [&str; 9] =
    ["--op", "Floor-13", "--dtype", "float", "--suite", "generated", "--cases", "3", "--minimize=off"];

impl Session {
    /// Runs Floor on these backends. The session does not record the output.
    pub fn floor(&self, out: &str, backends: &[&str], more: &[&str]) {
        let named = backends.iter().flat_map(|backend| ["--backend", backend]);
        let arguments: Vec<&str> = ["conformance", "--out", out].into_iter().chain(named).collect();
        let output = plumbline(self.folder.path(), self.cache.path(), &[&arguments[..], &FLOOR, more].concat());
        assert!(matches!(output.status.code(), Some(0 | 1)), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// Returns the output, with names in brackets in place of the times and of Plumbline's version.
fn redacted(session: &Session) -> String {
    let times = regex::Regex::new("[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2} UTC").unwrap();
    times.replace_all(&session.printed(), "[time]").replace(env!("CARGO_PKG_VERSION"), "[version]")
}

#[test]
fn runs_of_two_backends_are_compared() {
    let mut session = Session::new();
    session.floor("right", &["mock:ok"], &[]);
    session.floor("wrong", &["mock:lie"], &[]);
    session.run(&["compare", "right", "wrong"]);
    session.run(&["compare", "wrong", "right"]);
    session.run(&["compare", "right", "right", "--against", "mock:ok"]);
    session.run(&["compare", "right", "wrong", "--format", "markdown"]);
    session.run(&["compare", "wrong", "right", "--format", "json"]);
    insta::assert_snapshot!(redacted(&session));
}

#[test]
fn two_backends_of_one_run_are_compared() {
    let mut session = Session::new();
    session.floor("out", &["mock:ok", "mock:lie", "mock:exit"], &[]);
    session.run(&["compare", "out", "--backend", "mock:lie", "--against", "mock:exit"]);
    insta::assert_snapshot!(redacted(&session));
}

/// Checks that stdout has the comparison and nothing else, and that the command in `run.json` repeats the run without
/// comparing.
#[test]
fn two_backends_run_and_are_compared() {
    let session = Session::new();
    let run = |arguments: &[&str]| plumbline(session.folder.path(), session.cache.path(), arguments);
    let pair = ["compare", "--backend", "mock:ok", "--against", "mock:lie", "--out", "out", "--format", "json"];
    let output = run(&[&pair[..], &FLOOR].concat());
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(json["counts"]["regressed"].as_u64().unwrap() > 0, "{json}");
    assert_eq!(
        (json["base"]["backend"].as_str(), json["new"]["backend"].as_str()),
        (Some("mock:ok"), Some("mock:lie"))
    );
    let facts = std::fs::read_to_string(session.path("out/run.json")).unwrap();
    let expected = "plumbline conformance --backend mock:ok --backend mock:lie --out out --op Floor-13";
    assert!(facts.contains(expected), "{facts}");
    let again = run(&["compare", "out", "--backend", "mock:lie", "--against", "mock:ok"]);
    assert_eq!(again.status.code(), Some(0), "nothing regresses from a wrong backend to a right one");
    let text = String::from_utf8(again.stdout).unwrap();
    let command = text.lines().find_map(|line| line.trim().strip_prefix("replay     plumbline ")).unwrap();
    let words = shlex::split(command).unwrap();
    let replayed = run(&words.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(replayed.status.code(), Some(1), "{}", String::from_utf8_lossy(&replayed.stdout));
}

#[test]
fn what_cannot_be_compared_is_an_error() {
    let mut session = Session::new();
    session.floor("base", &["mock:ok"], &[]);
    session.floor("seed", &["mock:ok"], &["--seed", "7"]);
    session.floor("profile", &["mock:ok"], &["--profile", "smoke"]);
    session.floor("several", &["mock:ok", "mock:lie"], &[]);
    let results = std::fs::read(session.path("base/results.jsonl")).unwrap();
    crate::copy_folder(&session.path("base"), &session.path("cut"));
    session.write("cut/results.jsonl", &results[..results.len() - 9]);
    for wrong in [
        &[][..],
        &["base"],
        &["base", "nowhere"],
        &["base", "seed"],
        &["base", "profile"],
        &["base", "several"],
        &["base", "cut"],
        &["base", "base"],
        &["base", "several", "--against", "mock:exit"],
        &["base", "several", "--op", "Min"],
        &["--backend", "mock:ok", "--against", "mock:ok", "--op", "Floor-13"],
        &["--backend", "mock:ok", "--backend", "mock:lie"],
        &["--backend", "mock:ok", "--against", "mock:lie", "--gate"],
    ] {
        let arguments = [&["compare"], wrong].concat();
        session.run(&arguments);
        let last = session.printed.trim_end().rsplit_once("exit code ").unwrap().1;
        assert_eq!(last, "2", "{wrong:?}");
    }
    insta::assert_snapshot!(session.printed());
    assert!(!session.path("plumbline-results").exists(), "wrong usage must not write results");
}

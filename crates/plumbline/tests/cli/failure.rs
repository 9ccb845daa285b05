//! Tests what a run on a wrong backend prints and writes, from the console to the folder that repeats a failure.

use std::path::Path;

use crate::Session;

/// The arguments of a small run of Floor.
const FLOOR: [&str; 9] =
    ["conformance", "--op", "Floor-13", "--dtype", "float", "--suite", "generated", "--cases", "3"];

fn floor<'a>(backend: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&FLOOR[..], &["--backend", backend, "--out", "out"], more].concat()
}

/// Returns the paths of all files below a folder, sorted.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => found.push(path.strip_prefix(folder).unwrap().display().to_string()),
            }
        }
    }
    found.sort();
    found
}

/// Returns the names of the folders in `out/repro`.
fn failures(session: &Session) -> Vec<String> {
    let folders = std::fs::read_dir(session.path("out/repro")).unwrap();
    let mut names: Vec<String> =
        folders.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_right_backend_conforms() {
    let mut session = Session::new();
    session.run(&floor("cpu", &[]));
    insta::assert_snapshot!(session.printed());
}

#[test]
fn a_wrong_backend_does_not_conform() {
    let mut session = Session::new();
    session.run(&floor("mock:lie", &[]));
    insta::assert_snapshot!(session.printed());
}

#[test]
fn the_summary_has_a_row_for_each_backend() {
    let mut session = Session::new();
    session.run(&floor("mock:lie", &["--backend", "cpu", "--backend", "mock:exit"]));
    session.show("out/summary.md");
    insta::assert_snapshot!(session.printed());
}

#[test]
fn known_failures_are_expected() {
    let mut session = Session::new();
    let known = |verdict: &str, reason: &str| {
        format!(
            "\n[[expect]]\nop = \"Floor-13\"\nverdict = \"{verdict}\"\nblame = \"backend\"\nreason = \"{reason}\"\ncases = 3\n"
        )
    };
    session.write("known.toml", "backend = \"mock:lie\"\n".to_owned() + &known("fail", "it lies"));
    session.run(&floor("mock:lie", &["--expectations", "known.toml"]));
    session.show("out/summary.md");
    // Every cell of the operator has to run before an entry can be stale.
    session.write("stale.toml", "backend = \"mock:ok\"\n".to_owned() + &known("crash", "it once crashed"));
    let every_cell =
        ["conformance", "--op", "Floor-13", "--suite", "generated", "--cases", "3", "--backend", "mock:ok"];
    session.run(&[&every_cell[..], &["--out", "out", "--gate", "--expectations", "stale.toml"]].concat());
    insta::assert_snapshot!(session.printed());
}

#[test]
fn a_failure_has_a_folder_that_repeats_it() {
    let mut session = Session::new();
    session.run(&floor("mock:lie", &[]));
    session.printed.clear();
    for failure in failures(&session) {
        let folder = format!("out/repro/{failure}");
        for file in files(&session.path(&folder)) {
            let path = format!("{folder}/{file}");
            match file.rsplit_once('.').map(|(_, extension)| extension) {
                Some("onnx" | "pb") => session.printed += &format!("# {path}\n(binary)\n\n"),
                _ => session.show(&path),
            }
        }
        session.run(&["replay", &folder, "--backend", "mock:lie"]);
        session.run(&["replay", &folder, "--backend", "cpu"]);
    }
    insta::assert_snapshot!(session.printed());
}

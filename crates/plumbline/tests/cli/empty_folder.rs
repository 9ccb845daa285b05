//! Tests the installed command in an empty folder: everything it needs is inside the binary, and it writes nothing but
//! results to the folder.

use std::path::Path;

use crate::plumbline;

fn succeeds(folder: &Path, cache: &Path, arguments: &[&str]) -> String {
    let output = plumbline(folder, cache, arguments);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?} ended with {}\n{said}{errors}", output.status);
    said
}

#[test]
fn a_run_needs_only_the_binary() {
    let (folder, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let run = ["conformance", "--profile", "smoke", "--backend", "cpu", "--op", "Clip", "--op", "ImageDecoder"];
    let said = succeeds(folder.path(), cache.path(), &run);
    assert!(said.contains("conforms") && said.contains("cpu 0.1.0"), "{said}");
    let results = folder.path().join("plumbline-results");
    for file in ["index.html", "junit.xml", "results.jsonl", "run.json", "summary.json", "summary.md"] {
        assert!(results.join(file).is_file(), "the run wrote no {file}");
    }
    let text = std::fs::read_to_string(results.join("results.jsonl")).unwrap();
    for suite in ["generated", "negative", "regressions"] {
        assert!(text.contains(&format!("\"suite\":\"{suite}\"")), "the results have no case of {suite}");
    }
    let facts = std::fs::read_to_string(results.join("run.json")).unwrap();
    assert!(facts.contains("\"plumbline conformance --profile smoke"), "{facts}");
    let page = std::fs::read_to_string(results.join("index.html")).unwrap();
    assert!(!page.contains("cargo xtask"), "the page names a command that does not exist outside of the repository");
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["plumbline-results"]);
}

#[test]
fn cases_are_embedded() {
    let (folder, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for case in ["Min-13/T=float16/17@0", "Min-13/T=float16/shapes-broadcast/0@0", "regressions/Clip-bound-of-rank-1"] {
        let shown = succeeds(folder.path(), cache.path(), &["replay", case, "--backend", "cpu"]);
        assert!(shown.contains("verdict  pass"), "{case}: {shown}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "the command wrote to the current folder");
}

#[test]
fn commands_of_the_repository_say_that_they_need_it() {
    let (folder, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for arguments in [&["behaviour", "--check"][..], &["spec", "import", "onnx"]] {
        let output = plumbline(folder.path(), cache.path(), arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains("run it there with `cargo xtask`"), "{errors}");
    }
}

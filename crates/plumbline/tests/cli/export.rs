//! Tests `plumbline export`: output, exit codes and messages.

use crate::Session;

/// Valid cases of one operator version and type.
const CASES: [&str; 8] = ["--op", "Clip-13", "--dtype", "float16", "--cases", "2", "--suite", "generated"];

#[test]
fn a_corpus_is_written() {
    let mut session = Session::new();
    session.run(&[&["export", "--out", "corpus"], &CASES[..], &["--suite", "negative"]].concat());
    session.show("corpus/manifest/1-of-1.json");
    session.show("corpus/generated/Clip-13/T=float16/test_0/case.json");
    assert!(session.path("corpus/judge.py").is_file());
    // The hashes of the judge and of the manifest change with every change of the judge, and need no review here.
    let hash = regex::Regex::new("_sha256\": \"[0-9a-f]{64}").unwrap();
    let version = format!("\"plumbline\": \"{}\"", env!("CARGO_PKG_VERSION"));
    let printed = session.printed().replace(&version, "\"plumbline\": \"[version]\"");
    insta::assert_snapshot!(hash.replace_all(&printed, "_sha256\": \"[hash]"));
}

#[test]
fn a_corpus_accepts_what_the_declared_arithmetic_allows() {
    let session = Session::new();
    session.write("flush.json", r#"{"flush_subnormals": true}"#);
    let export = |out: &str, more: &[&str]| {
        let cells = ["export", "--out", out, "--op", "Abs-13", "--dtype", "float", "--suite", "generated"];
        let done = crate::plumbline(session.folder.path(), session.cache.path(), &[&cells[..], more].concat());
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let text = std::fs::read_to_string(session.path(out).join("manifest/1-of-1.json")).unwrap();
        let head: serde_json::Value = serde_json::from_str(&text).unwrap();
        let lines = std::fs::read_to_string(session.path(out).join("manifest/1-of-1.jsonl")).unwrap();
        (head["arithmetic"].clone(), lines.matches("accept_0_low.pb").count())
    };
    let (declared, intervals) = export("flushing", &["--arithmetic", "flush.json"]);
    assert_eq!((&declared["flush_subnormals"], &declared["accuracy"]), (&true.into(), &"opencl-full".into()));
    let (declared, exact) = export("plain", &[]);
    assert_eq!(declared["flush_subnormals"], false);
    // Only a subnormal number that may be flushed makes Abs inexact.
    assert!(exact == 0 && intervals > 0, "{exact} {intervals}");
}

#[test]
fn what_cannot_be_exported_is_an_error() {
    let mut session = Session::new();
    session.run(&["export"]);
    for wrong in [
        &["--op", "Clop"][..],
        &["--form", "folded"],
        &["--suite", "mutated"],
        &["--profile", "fast"],
        &["--arithmetic", "exact"],
        &["--arithmetic", "none.json"],
        &["--shard", "3/2"],
        &["--since", "99"],
        &["--max-bytes", "10"],
    ] {
        session.run(&[&["export", "--out", "corpus"], &CASES[..], wrong].concat());
    }
    std::fs::create_dir(session.path("full")).unwrap();
    session.write("full/notes.txt", "mine");
    session.run(&[&["export", "--out", "full"], &CASES[..]].concat());
    session.write("file", "mine");
    session.run(&[&["export", "--out", "file"], &CASES[..]].concat());
    let left: Vec<_> = std::fs::read_dir(session.path("")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "something was left behind: {left:?}");
    insta::assert_snapshot!(session.printed());
}

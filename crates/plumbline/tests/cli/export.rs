//! Writes corpora from the outside: output, exit codes and messages.

use crate::Session;

/// Valid and invalid cases of one operator version and type.
const CASES: [&str; 8] = ["--op", "Clip-13", "--dtype", "float16", "--cases", "2", "--suite", "generated"];

#[test]
fn a_corpus_is_written() {
    let mut session = Session::new();
    session.run(&[&["export", "--out", "corpus"], &CASES[..], &["--suite", "negative"]].concat());
    session.show("corpus/manifest/1-of-1.json");
    session.show("corpus/generated/Clip-13/T=float16/test_0/case.json");
    assert!(session.path("corpus/judge.py").is_file());
    // The judge and the manifest change with the judge, and need no review here.
    let hash = regex::Regex::new("_sha256\": \"[0-9a-f]{64}").unwrap();
    let version = format!("\"plumbline\": \"{}\"", env!("CARGO_PKG_VERSION"));
    let printed = session.printed().replace(&version, "\"plumbline\": \"[version]\"");
    insta::assert_snapshot!(hash.replace_all(&printed, "_sha256\": \"[hash]"));
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
        &["--accuracy", "exact"],
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

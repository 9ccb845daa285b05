//! Tests `plumbline merge`: output, exit codes and messages.

use crate::{Session, plumbline};

/// Valid cases of two operators.
const CASES: [&str; 8] = ["--op", "Floor", "--op", "Clip", "--cases", "3", "--minimize=off", "--suite=generated"];

impl Session {
    /// Runs the cases on `mock:lie`, or only a part of them if `more` has `--shard`. The output is not added to that of
    /// the session.
    fn part(&self, out: &str, more: &[&str]) {
        let arguments = [&["conformance", "--out", out, "--backend", "mock:lie"], &CASES[..], more].concat();
        let output = plumbline(self.folder.path(), self.cache.path(), &arguments);
        // On a busy machine, a run of one second may judge nothing.
        assert!(matches!(output.status.code(), Some(0 | 1 | 4)), "{}", String::from_utf8_lossy(&output.stderr));
    }

    fn results(&self, out: &str) -> String {
        let text = std::fs::read_to_string(self.path(out).join("results.jsonl")).unwrap();
        let seconds = regex::Regex::new("\"seconds\":[^,}]+").unwrap();
        seconds.replace_all(&text, "\"seconds\":0").into_owned()
    }
}

#[test]
fn merged_shards_are_one_run() {
    let mut session = Session::new();
    session.part("whole", &[]);
    for (shard, out) in [("1/3", "first"), ("2/3", "second"), ("3/3", "third")] {
        session.part(out, &["--shard", shard]);
    }
    session.run(&["merge", "third", "first", "second", "--out", "merged", "--gate"]);
    assert!(session.results("merged") == session.results("whole"), "the merged results differ from those of one run");
    let summary = |out: &str| {
        let text = std::fs::read_to_string(session.path(out).join("summary.json")).unwrap();
        let summary: serde_json::Value = serde_json::from_str(&text).unwrap();
        let times = regex::Regex::new("\"nanoseconds\":[0-9]+").unwrap();
        times.replace_all(&summary["backends"].to_string(), "").into_owned()
    };
    assert_eq!(summary("merged"), summary("whole"));
    // The folders of failures are copied, and the commands in them are relative to the folder of the merged results.
    let repro = std::fs::read_dir(session.path("merged/repro")).unwrap().next().unwrap().unwrap().path();
    let facts = std::fs::read_to_string(repro.join("case.json")).unwrap();
    assert!(facts.contains("\"replay\": \"plumbline replay repro/") && repro.join("model.onnx").is_file(), "{facts}");
    insta::assert_snapshot!(session.printed());
}

#[test]
fn what_cannot_be_merged_is_an_error() {
    let mut session = Session::new();
    session.part("first", &["--shard", "1/2"]);
    session.part("second", &["--shard", "2/2"]);
    session.part("again", &["--shard", "2/2"]);
    session.part("whole", &[]);
    session.part("other", &["--shard", "2/2", "--seed", "7"]);
    let cells = ["Floor-13/T=float", "Floor-13/T=double", "Clip-13/T=float", "Clip-13/T=double"];
    session.write("cells.txt", cells.join("\n"));
    session.part("listed", &["--shard", "2/2", "--only", "cells.txt"]);
    session.part("of-three", &["--shard", "2/3"]);
    session.part("timed", &["--shard", "2/2", "--time", "1s"]);
    session.run(&["merge", "first"]);
    session.run(&["merge", "first", "nowhere"]);
    session.run(&["merge", "first", "second", "again"]);
    session.run(&["merge", "first", "whole"]);
    session.run(&["merge", "first", "other"]);
    session.run(&["merge", "first", "listed"]);
    session.run(&["merge", "first", "of-three"]);
    session.run(&["merge", "first", "timed"]);
    session.run(&["merge", "first", "second", "--out", "second"]);
    let run = session.path("second/run.json");
    let text = std::fs::read_to_string(&run).unwrap();
    let killed = text.replacen("\"incomplete\": null", "\"incomplete\": \"It was killed.\"", 1);
    assert_ne!(text, killed);
    std::fs::write(&run, killed).unwrap();
    session.note("the second run was killed");
    session.run(&["merge", "first", "second"]);
    std::fs::write(&run, text).unwrap();
    session.write("second/results.jsonl", "");
    insta::assert_snapshot!(session.printed());
    let arguments = ["merge", "first", "second", "--out", "merged"];
    let output = plumbline(session.folder.path(), session.cache.path(), &arguments);
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(printed.contains("\nno result: Clip-"), "{printed}");
    assert_eq!(output.status.code(), Some(4), "a merge fails if pieces of work have no results");
}

/// A whole run and the merge of its shards pass or fail alike. Both fail with `--gate` if an expectation is stale, with
/// `--floor` if too few cases were judged, and with `--coverage` if something was not reached.
#[test]
fn merged_shards_pass_the_gate_of_one_run() {
    let session = Session::new();
    let expect = "[[expect]]\nop = \"GridSample-16\"\nverdict = \"crash\"\nblame = \"backend\"\n";
    let stale = format!("backend = \"mock:ok\"\n{expect}reason = \"it was wrong once\"\ncases = 1\n");
    session.write("stale.toml", stale);
    session.write("none.toml", "backend = \"mock:ok\"\n");
    let output = |arguments: &[&str]| {
        let output = plumbline(session.folder.path(), session.cache.path(), arguments);
        (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code().unwrap())
    };
    let run = |known: &str, more: &[&str]| {
        let cells = ["conformance", "--op=GridSample-16", "--cases=1", "--suite=generated", "--backend=mock:ok"];
        output(&[&cells[..], &["--expectations", known], more].concat())
    };
    let joined = |known: &str, more: &[&str]| {
        run(known, &["--shard=1/2", "--out=first"]);
        run(known, &["--shard=2/2", "--out=second"]);
        output(&[&["merge", "first", "second", "--out=merged"], more].concat())
    };
    for (known, options, wanted) in [
        ("stale.toml", &[][..], 0),
        ("stale.toml", &["--gate"], 1),
        ("none.toml", &["--gate"], 0),
        ("none.toml", &["--floor=10000"], 4),
        ("none.toml", &["--coverage"], 1),
    ] {
        let (joined, code) = joined(known, options);
        let (whole, whole_code) = run(known, &[&["--out=whole"], options].concat());
        assert_eq!((code, whole_code), (wanted, wanted), "{options:?}\n{joined}\n{whole}");
        let last = |printed: &str| printed.lines().last().map(str::to_owned);
        assert!(code == 0 || last(&joined) == last(&whole), "{options:?}\n{joined}\n{whole}");
    }
    // Expectations on the command line of the merge replace those of the shards.
    let (printed, code) = joined("stale.toml", &["--gate", "--expectations=none.toml"]);
    assert_eq!(code, 0, "{printed}");
}

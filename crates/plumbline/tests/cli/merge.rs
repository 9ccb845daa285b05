//! Joins shards from the outside: output, exit codes and messages.

use crate::{Session, plumbline};

/// Valid and invalid cases of two operators.
const CASES: [&str; 8] = ["--op", "Floor", "--op", "Clip", "--cases", "3", "--minimize=off", "--suite=generated"];

impl Session {
    /// Runs a part of the cases on `mock:lie`, and prints nothing.
    fn part(&self, out: &str, more: &[&str]) {
        let arguments = [&["conformance", "--out", out, "--backend", "mock:lie"], &CASES[..], more].concat();
        let output = plumbline(self.folder.path(), self.cache.path(), &arguments);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{}", String::from_utf8_lossy(&output.stderr));
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
    // The folders of failures come along, and their commands name them from the results.
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
    session.part("of-three", &["--shard", "2/3"]);
    session.part("timed", &["--shard", "2/2", "--time", "1s"]);
    session.run(&["merge", "first"]);
    session.run(&["merge", "first", "nowhere"]);
    session.run(&["merge", "first", "second", "again"]);
    session.run(&["merge", "first", "whole"]);
    session.run(&["merge", "first", "other"]);
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
    assert_eq!(output.status.code(), Some(4), "pieces of work without results fail the gate");
}

/// One run and its joined shards pass or fail alike. They fail if an expectation is stale, whether the shards or the
/// merge were given it, if few cases were judged, and with `--coverage` if an attribute was not reached.
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
    // What the merge is given replaces what the shards had.
    let (printed, code) = joined("stale.toml", &["--gate", "--expectations=none.toml"]);
    assert_eq!(code, 0, "{printed}");
}

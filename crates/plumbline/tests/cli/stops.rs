//! Runs that are interrupted or killed, and continued with `--resume`.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::{Session, plumbline};

const RUN: [&str; 10] =
    ["conformance", "--op", "Floor", "--op", "Clip", "--backend", "mock:lie", "--cases", "60", "--out"];

/// The results without the time that each case took.
fn rows(file: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(file).unwrap();
    let row = |line: &str| {
        let mut row: serde_json::Value = serde_json::from_str(line).unwrap();
        row["seconds"] = 0.into();
        row.to_string()
    };
    // A kill may have cut off the last line.
    text.split_inclusive('\n').filter(|line| line.ends_with('\n')).map(row).collect()
}

/// Starts a run, sends it a signal when it has written some results, and returns its exit code and what it printed.
fn stopped_by(session: &Session, run: &[&str], signal: &str, out: &str, bytes: u64) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plumbline"));
    command.args(run).arg(out).current_dir(session.folder.path()).env("PLUMBLINE_CACHE", session.cache.path());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let results = session.path(out).join("results.jsonl");
    let give_up = Instant::now() + Duration::from_secs(60);
    while std::fs::metadata(&results).map_or(0, |file| file.len()) < bytes {
        assert!(Instant::now() < give_up, "the run writes no results");
        std::thread::sleep(Duration::from_millis(2));
    }
    assert!(Command::new("kill").arg(signal).arg(child.id().to_string()).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    (output.status.code(), text)
}

#[test]
fn a_stopped_run_writes_its_report_and_goes_on_later() {
    let session = Session::new();
    let run = |arguments: &[&str]| plumbline(session.folder.path(), session.cache.path(), arguments);
    run(&[&RUN[..], &["whole"]].concat());
    let whole = rows(&session.path("whole/results.jsonl"));
    for (signal, bytes) in [("-INT", 1), ("-TERM", 200_000), ("-KILL", 100_000)] {
        let out = format!("stopped{signal}");
        let (code, text) = stopped_by(&session, &RUN, signal, &out, bytes);
        let folder = session.path(&out);
        if signal == "-KILL" {
            assert_eq!(code, None, "{text}");
            let report = run(&["report", "--results", &format!("{out}/results.jsonl")]);
            assert!(report.status.success());
        } else {
            assert_eq!(code, Some(1), "the exit code follows from the cases that ran\n{text}");
            assert!(text.contains(&format!("interrupted; `plumbline conformance --resume {out}` goes on")), "{text}");
            assert!(text.contains("not reached: ") && text.contains("because the run was interrupted"), "{text}");
        }
        let summary = std::fs::read_to_string(folder.join("summary.md")).unwrap();
        assert!(summary.contains("This run did not end") || summary.contains("This run is incomplete"), "{summary}");
        let junit = std::fs::read_to_string(folder.join("junit.xml")).unwrap();
        assert!(junit.contains("the run came to its end") && junit.contains("<error message=\"This run"), "{signal}");
        let before = rows(&folder.join("results.jsonl")).len();
        assert!(before > 0 && before < whole.len(), "{before} of {}", whole.len());
        let resumed = run(&["conformance", "--resume", &out]);
        assert_eq!(resumed.status.code(), Some(1), "{}", String::from_utf8_lossy(&resumed.stderr));
        assert!(rows(&folder.join("results.jsonl")) == whole, "the results differ after {signal}");
        let summary = std::fs::read_to_string(folder.join("summary.md")).unwrap();
        assert!(!summary.contains("did not end") && !summary.contains("was interrupted"), "{summary}");
    }
}

#[test]
fn a_stopped_run_does_not_say_that_the_backend_conforms() {
    let session = Session::new();
    let right = RUN.map(|word| if word == "mock:lie" { "mock:ok" } else { word });
    let (code, text) = stopped_by(&session, &right, "-TERM", "stopped", 1);
    assert_eq!(code, Some(0), "{text}");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.contains(&"what ran conforms; the rest did not run") && !lines.contains(&"conforms"), "{text}");
    let resumed = plumbline(session.folder.path(), session.cache.path(), &["conformance", "--resume", "stopped"]);
    let text = String::from_utf8_lossy(&resumed.stdout).into_owned();
    assert!(text.lines().any(|line| line == "conforms"), "{text}");
}

#[test]
fn only_a_folder_of_results_is_continued() {
    let session = Session::new();
    let run = |arguments: &[&str]| plumbline(session.folder.path(), session.cache.path(), arguments);
    let output = run(&["conformance", "--resume", "nowhere"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--resume nowhere"));
}

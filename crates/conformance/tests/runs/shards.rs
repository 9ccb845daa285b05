//! The merged results of all shards are those of one run over everything.

use std::path::{Path, PathBuf};

use plumbline_backend::{Local, Profile, Runner};
use plumbline_conformance::{CaseResult, Outcome, Run, RunError, Selection, Settings, Subject, Work, merge};

use crate::common;
use crate::twisted;
use crate::twisted::Twisted;

fn folder(name: &str) -> PathBuf {
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("shards-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&out);
    out
}

fn work() -> Vec<Work> {
    let cells = Selection::new(&["Floor", "Clip", "Concat", "CastMap"], &[""; 0]).unwrap().cells();
    let labelled = |cell: plumbline_generator::Cell| {
        let labels: Vec<_> = std::iter::once(None).chain(cell.negatives().into_iter().map(Some)).collect();
        labels.into_iter().map(move |label| Work::Cell(cell.clone(), label))
    };
    cells.into_iter().flat_map(labelled).collect()
}

fn settings(out: &Path, shard: (u64, u64)) -> Settings {
    Settings { cases: 5, out: out.to_owned(), shard, ..Settings::default() }
}

/// Runs a backend that answers as the oracle does, except that Floor returns its input.
fn run(settings: &Settings) -> Outcome {
    let open = || {
        let twist = |model: &plumbline_tensor::Model| -> twisted::Twist {
            let is_floor = model.graph().node.iter().any(|node| node.op_type.as_deref() == Some("Floor"));
            Box::new(move |inner, inputs| if is_floor { Ok(inputs.to_vec()) } else { inner.run(inputs) })
        };
        Ok(Box::new(Local::new(Twisted::boxed(Profile::default(), twist))) as Box<dyn Runner>)
    };
    let subjects = [Subject::start("twisted", Box::new(open)).unwrap()];
    Run { settings, subjects: &subjects, expectations: &[], progress: &common::Silent }.run(work()).unwrap()
}

/// Runs all shards, and returns their folders.
fn shards(name: &str, count: u64) -> Vec<PathBuf> {
    let run_one = |number| {
        let out = folder(&format!("{name}-{number}"));
        run(&settings(&out, (number, count)));
        out
    };
    (1..=count).map(run_one).collect()
}

/// Merges shards and counts their results, without the backend.
fn merged(name: &str, shards: &[PathBuf]) -> Result<(Outcome, Vec<CaseResult>), RunError> {
    let settings = Settings { resume: true, recorded: true, ..settings(&folder(name), (1, 1)) };
    merge(&settings, &work(), shards)?;
    let identity = plumbline_backend::Identity { name: "twisted".to_owned(), version: "1".to_owned() };
    let subjects = [Subject::recorded("twisted", identity)];
    let run = Run { settings: &settings, subjects: &subjects, expectations: &[], progress: &common::Silent };
    Ok((run.run(work())?, rows(&settings.out)))
}

/// Returns the results without the times, which differ from run to run.
fn rows(out: &Path) -> Vec<CaseResult> {
    let text = std::fs::read_to_string(out.join("results.jsonl")).unwrap();
    let row = |line: &str| CaseResult { seconds: 0.0, ..serde_json::from_str(line).unwrap() };
    text.lines().map(row).collect()
}

#[test]
fn merged_shards_are_the_whole_run() {
    let out = folder("whole");
    let whole = run(&settings(&out, (1, 1)));
    for count in [1, 3, 8] {
        let (outcome, results) = merged(&format!("merged-{count}"), &shards(&format!("of-{count}"), count)).unwrap();
        assert!(results == rows(&out), "{count} shards give other rows, or the same rows in another order");
        assert_eq!((outcome.counts, outcome.cases), (whole.counts.clone(), whole.cases));
        assert_eq!(outcome.unjudged, whole.unjudged);
        assert_eq!(outcome.unexpected_count, whole.unexpected_count);
        assert!(outcome.missing.is_empty() && whole.unexpected_count > 0);
    }
}

#[test]
fn results_that_a_shard_lacks_are_reported_as_missing() {
    let folders = shards("cut", 3);
    let results = folders[1].join("results.jsonl");
    let text = std::fs::read_to_string(&results).unwrap();
    let (first, _) = text.split_once('\n').unwrap();
    std::fs::write(&results, format!("{first}\n")).unwrap();
    let (outcome, rows) = merged("cut", &folders).unwrap();
    assert!(!rows.is_empty() && !outcome.missing.is_empty());
}

#[test]
fn a_shard_in_the_place_of_another_is_an_error() {
    let mut folders = shards("swapped", 3);
    folders.swap(0, 2);
    let error = merged("swapped", &folders).err().unwrap().to_string();
    assert!(error.contains("does not belong to this run"), "{error}");
}

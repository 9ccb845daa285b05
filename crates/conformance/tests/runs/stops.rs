//! Runs that are stopped, killed and continued: what they wrote before stays valid, and a continued run ends with the
//! same results as one that was never stopped.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use plumbline_backend::{Backend, Identity, Job, Local, Observation, Profile, Runner};
use plumbline_conformance::{
    Advance, CaseResult, Interrupt, Minimization, Outcome, Pack, Progress, Run, RunError, Selection, Settings, Subject,
    Work,
};
use plumbline_tensor::{Model, Value};

use crate::twisted::Twisted;

/// Returns the oracle as a backend that is wrong about Floor and sleeps for `takes` in each run of a model.
fn wrong(takes: Duration) -> Box<dyn Backend> {
    Twisted::boxed(Profile::default(), move |model| {
        let is_floor = model.graph().node.iter().any(|node| node.op_type.as_deref() == Some("Floor"));
        Box::new(move |inner, inputs| {
            std::thread::sleep(takes);
            if is_floor { Ok(inputs.to_vec()) } else { inner.run(inputs) }
        })
    })
}

/// Interrupts the run when `last` pieces of work are done.
struct After {
    pieces: AtomicU64,
    last: u64,
    interrupt: Interrupt,
}

impl Progress for After {
    fn start(&self, _: u64) {}
    fn advance(&self, done: Advance) {
        if self.pieces.fetch_add(done.pieces, Ordering::Relaxed) + done.pieces >= self.last {
            self.interrupt.raise();
        }
    }
    fn line(&self, _: &str) {}
    fn finish(&self) {}
}

const NEVER: u64 = u64::MAX;

/// Panics when the first piece of work is done.
struct Panics;

impl Progress for Panics {
    fn start(&self, _: u64) {}
    fn advance(&self, _: Advance) {
        panic!("as the test wants it");
    }
    fn line(&self, _: &str) {}
    fn finish(&self) {}
}

#[test]
fn a_panic_ends_a_run_and_its_minimizations() {
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let out = folder("panic");
        let settings = Settings { cases: 2, out, ..Settings::default() };
        let subjects = [subject(Duration::ZERO)];
        let run = Run { settings: &settings, subjects: &subjects, expectations: &[], progress: &Panics };
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run.run(work(&["Floor"]))));
        sender.send(result.is_err())
    });
    assert_eq!(receiver.recv_timeout(Duration::from_secs(60)), Ok(true), "the run did not end");
}

fn folder(name: &str) -> PathBuf {
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("stops-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&out);
    out
}

fn work(operators: &[&str]) -> Vec<Work> {
    let cells = Selection::new(operators, &[""; 0]).unwrap().cells();
    let labelled = |cell: plumbline_generator::Cell| {
        let labels: Vec<_> = std::iter::once(None).chain(cell.negatives().into_iter().map(Some)).collect();
        labels.into_iter().map(move |label| Work::Cell(cell.clone(), label))
    };
    cells.into_iter().flat_map(labelled).collect()
}

fn run(operators: &[&str], settings: Settings, takes: Duration, last: u64) -> Result<Outcome, RunError> {
    run_work(work(operators), settings, takes, last)
}

fn run_work(work: Vec<Work>, settings: Settings, takes: Duration, last: u64) -> Result<Outcome, RunError> {
    run_on(subject(takes), work, settings, last)
}

fn subject(takes: Duration) -> Subject {
    let open = move || Ok(Box::new(Local::new(wrong(takes))) as Box<dyn Runner>);
    Subject::start("wrong", Box::new(open)).unwrap()
}

fn run_on(subject: Subject, work: Vec<Work>, settings: Settings, last: u64) -> Result<Outcome, RunError> {
    let subjects = [subject];
    let interrupt = Interrupt::default();
    let progress = After { pieces: AtomicU64::new(0), last, interrupt: interrupt.clone() };
    let settings = Settings { interrupt, jobs: 3, ..settings };
    Run { settings: &settings, subjects: &subjects, expectations: &[], progress: &progress }.run(work)
}

/// Returns the results without the times, which differ from run to run.
fn rows(out: &Path) -> Vec<CaseResult> {
    let text = std::fs::read_to_string(out.join("results.jsonl")).unwrap();
    let row = |line: &str| CaseResult { seconds: 0.0, ..serde_json::from_str(line).unwrap() };
    text.lines().map(row).collect()
}

fn settings(out: &Path) -> Settings {
    Settings { cases: 5, minimization: Minimization::Share(0.5), out: out.to_owned(), ..Settings::default() }
}

const OPERATORS: [&str; 3] = ["Floor", "Clip", "Concat"];

#[test]
fn only_cases_in_the_selected_forms_are_run() {
    let out = folder("forms");
    let selection = Selection::new(&OPERATORS, &[""; 0]).unwrap().in_forms(&["constant-nodes"]).unwrap();
    let settings = Settings { selection, cases: 30, ..settings(&out) };
    let outcome = run(&OPERATORS, settings.clone(), Duration::ZERO, NEVER).unwrap();
    let rows = rows(&out);
    assert!(rows.len() > 20, "{}", rows.len());
    for row in &rows {
        let case = plumbline_generator::case_of(&row.case).unwrap();
        assert_eq!(case.form, plumbline_generator::Form::ConstantNodes, "{}", row.case);
    }
    assert_eq!((outcome.cases, &outcome.missing), (rows.len() as u64, &vec![]));
    // A resumed run draws the cases of finished pieces again, but does not run them again.
    let settings = Settings { resume: true, ..settings };
    let resumed = run(&OPERATORS, settings, Duration::ZERO, NEVER).unwrap();
    assert_eq!((resumed.cases, resumed.missing), (outcome.cases, vec![]));
}

#[test]
fn an_interrupted_and_resumed_run_has_the_results_of_an_undisturbed_run() {
    let whole = folder("whole");
    let undisturbed = run(&OPERATORS, settings(&whole), Duration::ZERO, NEVER).unwrap();
    assert_eq!(undisturbed.unreached, None);
    let pieces = work(&OPERATORS).len() as u64;
    for last in [1, 2, pieces / 2, pieces - 1, pieces, pieces + 1, pieces + pieces / 2, 2 * pieces - 1] {
        let out = folder(&format!("interrupted-{last}"));
        let stopped = run(&OPERATORS, settings(&out), Duration::ZERO, last).unwrap();
        assert!(stopped.unreached.as_ref().is_none_or(|unreached| unreached.interrupted), "{last}");
        assert!(stopped.cases <= undisturbed.cases);
        let resumed = run(&OPERATORS, Settings { resume: true, ..settings(&out) }, Duration::ZERO, NEVER).unwrap();
        assert_eq!(rows(&out), rows(&whole), "stopped after {last} pieces");
        assert_eq!(resumed.counts, undisturbed.counts);
        assert_eq!((resumed.cases, resumed.unexpected_count), (undisturbed.cases, undisturbed.unexpected_count));
        assert_eq!(resumed.coverage.cells, undisturbed.coverage.cells);
        assert_eq!(resumed.coverage.goals, undisturbed.coverage.goals);
        assert_eq!(resumed.unreached, None);
        for row in rows(&out) {
            let Some(signature) = row.signature else { continue };
            assert!(out.join("repro").join(&signature).join("case.json").is_file(), "{signature}");
        }
    }
}

#[test]
fn an_interrupted_and_resumed_run_in_packs_has_the_results_of_a_run_without_packs() {
    let whole = folder("unpacked");
    run(&OPERATORS, settings(&whole), Duration::ZERO, NEVER).unwrap();
    let pieces = work(&OPERATORS).len() as u64;
    for last in [1, pieces - 1, pieces, pieces + 1, pieces + pieces / 2, 2 * pieces - 1, NEVER] {
        let out = folder(&format!("packs-{last}"));
        let run = |settings: Settings, last: u64| {
            let mut packed = subject(Duration::ZERO);
            packed.pack = Pack::Cases(16);
            run_on(packed, work(&OPERATORS), settings, last).unwrap()
        };
        let stopped = run(settings(&out), last);
        assert!(stopped.unreached.is_none_or(|unreached| unreached.interrupted), "{last}");
        run(Settings { resume: true, ..settings(&out) }, NEVER);
        assert_eq!(rows(&out), rows(&whole), "stopped after {last} pieces");
    }
}

#[test]
fn a_killed_and_resumed_run_has_the_results_of_an_undisturbed_run() {
    let whole = folder("unkilled");
    run(&OPERATORS, settings(&whole), Duration::ZERO, NEVER).unwrap();
    let bytes = std::fs::read(whole.join("results.jsonl")).unwrap();
    // A kill may cut the file anywhere, and may come before the folder of a failure is written.
    for length in [0, 1, bytes.len() / 7, bytes.len() / 3, bytes.len() / 2, bytes.len() - 1, bytes.len()] {
        let out = folder(&format!("killed-{length}"));
        std::fs::create_dir_all(&out).unwrap();
        std::fs::write(out.join("results.jsonl"), &bytes[..length]).unwrap();
        run(&OPERATORS, Settings { resume: true, ..settings(&out) }, Duration::ZERO, NEVER).unwrap();
        assert_eq!(rows(&out), rows(&whole), "killed after {length} bytes");
        let signature = rows(&out).into_iter().find_map(|row| row.signature).unwrap();
        assert!(out.join("repro").join(signature).join("case.json").is_file());
    }
}

#[test]
fn results_of_another_run_and_unreadable_results_are_not_continued() {
    let out = folder("other");
    run(&["Clip"], settings(&out), Duration::ZERO, NEVER).unwrap();
    let error = run(&["Floor"], Settings { resume: true, ..settings(&out) }, Duration::ZERO, NEVER).unwrap_err();
    assert!(error.to_string().contains("does not belong to this run"), "{error}");
    std::fs::write(out.join("results.jsonl"), "no result\n").unwrap();
    let error = run(&["Clip"], Settings { resume: true, ..settings(&out) }, Duration::ZERO, NEVER).unwrap_err();
    assert!(error.to_string().contains("this is not a line of results"), "{error}");
}

#[test]
fn a_kept_case_runs_only_in_the_first_round_and_is_not_reported_as_missing() {
    let out = folder("kept");
    let mut all = work(&["Floor"]);
    all.push(kept());
    let settings = Settings { time: Some(Duration::from_secs(2)), cases: 1, ..settings(&out) };
    let outcome = run_work(all, settings, Duration::ZERO, NEVER).unwrap();
    assert_eq!(outcome.missing, Vec::<String>::new());
    let kept = rows(&out).into_iter().filter(|row| row.suite == "regressions").count();
    assert_eq!(kept, 1);
    let floor = rows(&out).into_iter().filter(|row| row.case.starts_with("Floor-13/T=float/2@")).count();
    assert_eq!(floor, 1, "there was no third round");
}

#[test]
fn a_time_limit_bounds_the_first_round_too() {
    let out = folder("time");
    let time = Duration::from_secs(2);
    let start = Instant::now();
    // About 500 pieces of work. There is time only for a small part of them.
    let operators = ["Floor", "Clip", "Concat", "Add", "Cast", "ReduceSum", "Gather"];
    let slow = Settings { time: Some(time), ..settings(&out) };
    let outcome = run(&operators, slow, Duration::from_millis(100), NEVER).unwrap();
    let unreached = outcome.unreached.unwrap();
    assert!(!unreached.interrupted && unreached.pieces > 0 && unreached.pieces < unreached.of, "{unreached}");
    assert!(unreached.operators.is_empty(), "every operator has its turn: {unreached}");
    assert!(unreached.to_string().contains("were not reached, because the time of the run was over"), "{unreached}");
    // The bound is generous, because the machine may be busy. Without the time limit the round takes much longer.
    assert!(start.elapsed() < 5 * time);
    assert!(outcome.stale.is_empty() && outcome.missing.is_empty());
}

/// A backend on which every case times out. It reports the timeout without waiting for the deadline, to save time.
struct Mute {
    identity: Identity,
    profile: Profile,
}

impl Runner for Mute {
    fn identity(&self) -> &Identity {
        &self.identity
    }
    fn profile(&self) -> &Profile {
        &self.profile
    }
    fn run(&mut self, _: &Model, _: &[Value], deadline: Duration) -> Observation {
        Observation::Timeout { after: deadline }
    }
    fn run_batch(&mut self, jobs: &[Job<'_>], deadline: Duration) -> Vec<Observation> {
        jobs.iter().map(|_| Observation::Timeout { after: deadline }).collect()
    }
}

fn mute() -> Subject {
    let open = || {
        let identity = Identity { name: "mute".to_owned(), version: "1".to_owned() };
        Ok(Box::new(Mute { identity, profile: Profile::default() }) as Box<dyn Runner>)
    };
    Subject::start("mute", Box::new(open)).unwrap()
}

fn kept() -> Work {
    Work::Kept(Box::new(plumbline_generator::case_of("Ceil-13/T=float/0@0").unwrap()), "regressions".to_owned())
}

#[test]
fn a_timeout_is_no_result_if_the_end_of_the_run_shortened_its_deadline() {
    for (name, piece) in [("kept", kept()), ("cell", work(&["Floor"]).remove(0))] {
        let out = folder(&format!("shortened-{name}"));
        // The deadline of a case is longer than the whole run.
        let short = Settings { time: Some(Duration::from_secs(2)), ..settings(&out) };
        let outcome = run_on(mute(), vec![piece.clone()], short, NEVER).unwrap();
        assert_eq!((rows(&out), outcome.unexpected_count), (vec![], 0), "{name}");
        assert_eq!(outcome.unreached.map(|unreached| unreached.pieces), Some(1), "{name}");
        // Without a time limit, each case has its whole deadline.
        let whole = Settings { minimization: Minimization::Off, ..settings(&out) };
        let outcome = run_on(mute(), vec![piece], whole, NEVER).unwrap();
        assert!(outcome.unexpected_count > 0 && outcome.unreached.is_none(), "{name}");
    }
}

#[test]
fn a_kept_case_that_ends_after_the_time_of_the_run_is_unreached() {
    let out = folder("late");
    let short = Settings { time: Some(Duration::from_millis(400)), ..settings(&out) };
    let outcome = run_work(vec![kept()], short, Duration::from_millis(300), NEVER).unwrap();
    assert_eq!((rows(&out), outcome.cases), (vec![], 0));
    assert_eq!(outcome.unreached.map(|unreached| unreached.pieces), Some(1));
}

#[test]
fn without_minimization_a_folder_has_the_case_as_it_was_drawn() {
    let out = folder("drawn");
    let off = Settings { minimization: Minimization::Off, ..settings(&out) };
    let outcome = run(&["Floor"], off, Duration::ZERO, NEVER).unwrap();
    let failures: Vec<CaseResult> = rows(&out).into_iter().filter(|row| row.signature.is_some()).collect();
    let signatures: std::collections::BTreeSet<_> = failures.iter().filter_map(|row| row.signature.clone()).collect();
    assert_eq!(outcome.not_minimized, signatures.len() as u64);
    let first = &failures[0];
    let case = out.join("repro").join(first.signature.as_ref().unwrap()).join("case.json");
    let facts: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(case).unwrap()).unwrap();
    let drawn = facts["choices"]["blocks"].as_array().map_or(0, Vec::len);
    assert!(drawn > 0 && facts["case"] == first.case.as_str(), "{facts}");
}

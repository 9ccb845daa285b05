//! Backends that get many cases in one model. The verdict of each case is the one that it has alone, whatever the pack
//! does, and a backend that is only wrong in packs is caught.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use plumbline_backend::{Backend, Identity, Job, Local, Observation, Profile, Runner};
use plumbline_conformance::{
    CaseResult, FailKind, Minimization, Outcome, Pack, Run, Selection, Settings, Subject, Verdict, Work,
};
use plumbline_executor::OracleBackend;
use plumbline_graph::Refusal;
use plumbline_tensor::{DType, Model, Tensor, Value};

use crate::common::{Silent, elements, local, new_folder, results};
use crate::twisted::Twisted;

/// What a run gave: its results without times, its outcome, its folder, and the number of sessions.
struct Ran {
    rows: Vec<CaseResult>,
    outcome: Outcome,
    out: PathBuf,
    sessions: u64,
}

fn valid_work(operators: &[&str]) -> Vec<Work> {
    let cells = Selection::new(operators, &["float", "int64"]).unwrap().cells();
    cells.into_iter().map(|cell| Work::Cell(cell, None)).collect()
}

fn work(operators: &[&str]) -> Vec<Work> {
    let cells = Selection::new(operators, &["float", "int64"]).unwrap().cells();
    let labelled = |cell: plumbline_generator::Cell| {
        let labels: Vec<_> = std::iter::once(None).chain(cell.negatives().into_iter().map(Some)).collect();
        labels.into_iter().map(move |label| Work::Cell(cell.clone(), label))
    };
    cells.into_iter().flat_map(labelled).collect()
}

fn settings() -> Settings {
    Settings { cases: 12, negative_cases: 2, out: new_folder(), jobs: 3, ..Settings::default() }
}

fn run_with(mut subject: Subject, pack: Pack, work: Vec<Work>, settings: &Settings) -> (Vec<CaseResult>, Outcome) {
    subject.pack = pack;
    let subjects = [subject];
    let run = Run { settings, subjects: &subjects, expectations: &[], progress: &Silent };
    let outcome = run.run(work).unwrap();
    (results(&settings.out).into_iter().map(|row| CaseResult { seconds: 0.0, ..row }).collect(), outcome)
}

/// What a wrong backend makes of the right answer to inputs.
type Twist = fn(&Model, &[Value], Vec<Value>) -> Result<Vec<Value>, Refusal>;

/// Runs a backend that answers as the oracle does, apart from `twist`.
fn run(work: Vec<Work>, pack: Pack, twist: Twist) -> Ran {
    let sessions = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&sessions);
    let backend = move || -> Box<dyn Backend> {
        let counted = Arc::clone(&counted);
        Twisted::boxed(Profile::default(), move |model| {
            counted.fetch_add(1, Ordering::Relaxed);
            let model = model.clone();
            Box::new(move |inner, inputs| twist(&model, inputs, inner.run(inputs)?))
        })
    };
    let settings = settings();
    let (rows, outcome) = run_with(local("twisted", backend), pack, work, &settings);
    Ran { rows, outcome, out: settings.out, sessions: sessions.load(Ordering::Relaxed) }
}

const OPERATORS: [&str; 4] = ["Floor", "Clip", "Concat", "If"];

#[test]
fn packs_save_sessions_and_change_no_result() {
    let alone = run(valid_work(&OPERATORS), Pack::Off, |_, _, answer| Ok(answer));
    let packed = run(valid_work(&OPERATORS), Pack::Cases(16), |_, _, answer| Ok(answer));
    assert_eq!(packed.rows, alone.rows);
    assert_eq!(packed.outcome.unexpected_count, 0);
    assert_eq!(packed.outcome.coverage.cells, alone.outcome.coverage.cells);
    assert_eq!(packed.outcome.coverage.goals, alone.outcome.coverage.goals);
    assert_eq!(alone.sessions, alone.rows.len() as u64);
    assert!(3 * packed.sessions < alone.sessions, "{} of {}", packed.sessions, alone.sessions);
}

#[test]
fn cases_of_the_first_round_and_twins_are_in_packs() {
    let first = |pack: Pack| {
        let (sessions, subject) = measured(Duration::ZERO);
        let settings = Settings { cases: 1, negative_cases: 1, jobs: 1, ..settings() };
        // Without the cases of the first round, no others are left.
        let (rows, _) = run_with(subject, pack, work(&OPERATORS), &settings);
        (rows, sessions.load(Ordering::Relaxed))
    };
    let ((alone, sessions), (packed, fewer)) = (first(Pack::Off), first(Pack::Cases(16)));
    assert_eq!(packed, alone);
    let invalid = alone.iter().filter(|row| row.suite == "negative").count() as u64;
    // Each invalid case needs a session of its own.
    assert!(
        invalid > 20 && 2 * (fewer - invalid) < sessions - invalid,
        "{fewer} of {sessions}, {invalid} invalid cases"
    );
}

/// Whether a case is one of those on which the wrong backends below misbehave. If others are in its model, the model
/// has this case as well.
fn is_culprit(inputs: &[Value]) -> bool {
    let is_it = |tensor: &&Tensor| tensor.dtype() == DType::Float && tensor.rank() == 3;
    inputs.iter().flat_map(Value::tensors).find(is_it).is_some()
}

#[test]
fn a_case_that_breaks_its_pack_is_the_only_one_that_fails() {
    let ways: [(Twist, Verdict); 4] = [
        (|_, inputs, answer| if is_culprit(inputs) { panic!("on purpose") } else { Ok(answer) }, Verdict::Crash),
        (
            |_, inputs, answer| if is_culprit(inputs) { Err(Refusal::unsupported("rank 3")) } else { Ok(answer) },
            Verdict::Unsupported,
        ),
        (
            |_, inputs, answer| if is_culprit(inputs) { Err(Refusal::failed("rank 3")) } else { Ok(answer) },
            Verdict::Fail,
        ),
        (|_, inputs, answer| if is_culprit(inputs) { Ok(vec![]) } else { Ok(answer) }, Verdict::Fail),
    ];
    for (way, verdict) in ways {
        let alone = run(valid_work(&OPERATORS), Pack::Off, way);
        let packed = run(valid_work(&OPERATORS), Pack::Cases(16), way);
        assert_eq!(packed.rows, alone.rows);
        let (bad, right): (Vec<_>, Vec<_>) = packed.rows.iter().partition(|row| row.verdict == verdict);
        assert!(bad.len() > 5 && right.len() > 100, "{verdict}: {} and {}", bad.len(), right.len());
        assert!(packed.sessions < alone.sessions);
    }
}

#[test]
fn a_wrong_value_in_a_pack_is_that_of_the_case_alone() {
    // Each NaN becomes a zero.
    let twist: Twist = |_, _, answer| {
        let zero = |t: &Tensor, at: usize| {
            let is_nan = t.dtype().is_float() && t.f64_at(at).is_nan();
            if is_nan { 0 } else { t.bits_at(at) }
        };
        Ok(elements(answer, zero))
    };
    let alone = run(work(&["Floor", "Concat"]), Pack::Off, twist);
    let packed = run(work(&["Floor", "Concat"]), Pack::Cases(16), twist);
    assert_eq!(packed.rows, alone.rows);
    assert!(packed.rows.iter().any(|row| row.kind == Some(FailKind::WrongValue)));
    assert!(packed.rows.iter().all(|row| row.kind != Some(FailKind::InPack)));
}

/// Gives the first element of the second output the value of the last element of the first output, if these have the
/// same type. The operators below have one output, so only a pack has a second one.
fn leak(_: &Model, _: &[Value], mut answer: Vec<Value>) -> Result<Vec<Value>, Refusal> {
    if let [Value::Tensor(first), Value::Tensor(second), ..] = &mut answer[..]
        && first.dtype() == second.dtype()
        && let (Some(last), true) = (first.len().checked_sub(1), !second.is_empty())
    {
        let bits = first.bits_at(last);
        let other = |at: usize| if at == 0 { bits } else { second.bits_at(at) };
        let elements: Vec<u64> = (0..second.len()).map(other).collect();
        *second = Tensor::from_bits(second.dtype(), second.shape().to_vec(), elements.into_iter()).unwrap();
    }
    Ok(answer)
}

#[test]
fn a_backend_that_is_wrong_only_in_packs_is_caught() {
    let alone = run(work(&["Floor"]), Pack::Off, leak);
    assert_eq!(alone.outcome.unexpected_count, 0);
    let packed = run(work(&["Floor"]), Pack::Cases(32), leak);
    let bad: Vec<&CaseResult> = packed.rows.iter().filter(|row| row.verdict.is_bad()).collect();
    assert!(!bad.is_empty(), "no case was caught");
    assert_eq!(packed.outcome.unexpected_count, bad.len() as u64);
    for row in &bad {
        assert_eq!((row.verdict, row.kind), (Verdict::Fail, Some(FailKind::InPack)), "{row:?}");
        let detail = row.detail.as_deref().unwrap();
        assert!(detail.starts_with("in one model with ") && detail.contains("and not alone: "), "{detail}");
    }
    // The other results are those of cases that are alone.
    let bad: BTreeSet<&str> = bad.iter().map(|row| row.case.as_str()).collect();
    let others = |rows: &[CaseResult]| -> Vec<CaseResult> {
        rows.iter().filter(|row| !bad.contains(row.case.as_str())).cloned().collect()
    };
    assert_eq!(others(&packed.rows), others(&alone.rows));
    // The folder has the cases that are wrong together, and no others.
    let signature = packed.rows.iter().find_map(|row| row.signature.as_ref()).unwrap();
    let model = std::fs::read(packed.out.join("repro").join(signature).join("model.onnx")).unwrap();
    let model = Model::from_bytes(&model).unwrap();
    assert_eq!(model.output_names().len(), 2, "{model}");
}

#[test]
fn a_failure_in_a_pack_that_does_not_come_back_is_flaky() {
    // Only the first instance of the backend is wrong, and another one runs failing cases again.
    let instances = Arc::new(AtomicU64::new(0));
    let backend = move || -> Box<dyn Backend> {
        let is_first = instances.fetch_add(1, Ordering::Relaxed) == 0;
        Twisted::boxed(Profile::default(), move |model| {
            let model = model.clone();
            Box::new(move |inner, inputs| {
                let answer = inner.run(inputs)?;
                if is_first { leak(&model, inputs, answer) } else { Ok(answer) }
            })
        })
    };
    let settings = Settings { jobs: 1, ..settings() };
    let (rows, _) = run_with(local("twisted", backend), Pack::Cases(32), work(&["Floor"]), &settings);
    let kinds: BTreeSet<FailKind> = rows.iter().filter_map(|row| row.kind).collect();
    assert_eq!(kinds, BTreeSet::from([FailKind::Flaky]));
}

#[test]
fn the_oracle_answers_packs_of_all_operators() {
    let all: Vec<Work> = plumbline_generator::cells().into_iter().map(|cell| Work::Cell(cell, None)).collect();
    // Every eighth piece of each operator: hundreds of cases of all operators, opsets and forms.
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let some = all.into_iter().filter(|piece| {
        let count = seen.entry(piece.to_string().split('-').next().unwrap_or("").to_owned()).or_default();
        *count += 1;
        *count % 8 == 1
    });
    let some: Vec<Work> = some.collect();
    let settings = Settings { cases: 4, ..settings() };
    let (sessions, subject) = measured(Duration::ZERO);
    let (rows, outcome) = run_with(subject, Pack::Cases(64), some, &settings);
    assert!(rows.len() > 1500, "{}", rows.len());
    assert_eq!(outcome.unexpected_count, 0, "{:?}", outcome.unexpected);
    assert!(rows.iter().all(|row| matches!(row.verdict, Verdict::Pass | Verdict::Latitude)));
    let sessions = sessions.load(Ordering::Relaxed) as usize;
    assert!(2 * sessions < rows.len(), "{sessions} sessions for {} cases", rows.len());
}

/// The oracle as a backend that takes this long for each session.
struct Measured {
    inner: Local,
    identity: Identity,
    session: Duration,
    sessions: Arc<AtomicU64>,
}

impl Runner for Measured {
    fn identity(&self) -> &Identity {
        &self.identity
    }
    fn profile(&self) -> &Profile {
        self.inner.profile()
    }
    fn run(&mut self, model: &Model, inputs: &[Value], deadline: Duration) -> Observation {
        self.inner.run(model, inputs, deadline)
    }
    fn run_batch(&mut self, jobs: &[Job<'_>], deadline: Duration) -> Vec<Observation> {
        for _ in jobs.iter().filter(|job| !job.again) {
            self.sessions.fetch_add(1, Ordering::Relaxed);
            std::thread::sleep(self.session);
        }
        self.inner.run_batch(jobs, deadline)
    }
}

/// Returns a right backend whose sessions take this long, and the number of its sessions.
fn measured(session: Duration) -> (Arc<AtomicU64>, Subject) {
    let sessions = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&sessions);
    let open = move || {
        let inner = Local::new(Box::new(OracleBackend::default()));
        let identity = Identity { name: "measured".to_owned(), version: "1".to_owned() };
        Ok(Box::new(Measured { inner, identity, session, sessions: Arc::clone(&counted) }) as Box<dyn Runner>)
    };
    (sessions, Subject::start("measured", Box::new(open)).unwrap())
}

#[test]
fn only_slow_backends_get_packs_automatically() {
    let sessions = |session: Duration, pack: Pack| {
        let (sessions, subject) = measured(session);
        let (rows, _) = run_with(subject, pack, valid_work(&OPERATORS), &settings());
        assert!(rows.iter().all(|row| matches!(row.verdict, Verdict::Pass | Verdict::Latitude)));
        sessions.load(Ordering::Relaxed)
    };
    let alone = sessions(Duration::ZERO, Pack::Off);
    assert!(2 * sessions(Duration::from_millis(30), Pack::Auto) < alone);
    assert_eq!(sessions(Duration::ZERO, Pack::Auto), alone);
}

#[test]
fn shards_and_time_limits_do_not_change_the_results_of_packs() {
    let (_, subject) = measured(Duration::ZERO);
    let (whole, _) = run_with(subject, Pack::Cases(16), work(&OPERATORS), &settings());
    let mut of_shards = Vec::new();
    for number in 1..=2 {
        let settings = Settings { shard: (number, 2), ..settings() };
        of_shards.extend(run_with(measured(Duration::ZERO).1, Pack::Cases(16), work(&OPERATORS), &settings).0);
    }
    let sorted = |mut rows: Vec<CaseResult>| {
        rows.sort_by(|a, b| a.case.cmp(&b.case));
        rows
    };
    assert_eq!(sorted(of_shards), sorted(whole));
    // Each run with a time limit has the beginning of the same results, in the same order.
    let timed = |pack: Pack| {
        let time = Some(Duration::from_secs(2));
        let settings = Settings { time, cases: 6, minimization: Minimization::Off, ..settings() };
        run_with(measured(Duration::ZERO).1, pack, work(&["Floor", "Ceil"]), &settings).0
    };
    let (packed, alone) = (timed(Pack::Cases(16)), timed(Pack::Off));
    let both = packed.len().min(alone.len());
    assert!(both > 200, "{} and {}", packed.len(), alone.len());
    assert_eq!(packed[..both], alone[..both]);
}

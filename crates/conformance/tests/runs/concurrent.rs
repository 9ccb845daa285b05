//! Sessions that run on two threads at the same time: what is wrong only then is named `concurrent`, and nothing else is.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use plumbline_backend::{Backend, Identity, Prepared, Profile, at_once};
use plumbline_conformance::{FailKind, Verdict};
use plumbline_executor::OracleBackend;
use plumbline_graph::Refusal;
use plumbline_tensor::{Model, Value};

use crate::common::{elements, run_on};

/// What is wrong about a backend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nothing.
    None,
    /// The runs of a session share a buffer, into which each copies its inputs.
    SharedBuffer,
    /// One of two runs at the same time refuses.
    Refusing,
    /// All answers are wrong.
    Always,
    /// The fifth run of a session and those after it are wrong.
    AfterFourRuns,
}

/// A backend that may have such a fault.
pub struct Faulty {
    pub fault: Fault,
    pub profile: Profile,
}

struct Session {
    model: Model,
    fault: Fault,
    buffer: Mutex<Vec<Value>>,
    inside: AtomicUsize,
    runs: AtomicUsize,
}

impl Session {
    fn answer(&self, inputs: &[Value]) -> Result<Vec<Value>, Refusal> {
        let runs = self.runs.fetch_add(1, Ordering::SeqCst) + 1;
        let inside = self.inside.fetch_add(1, Ordering::SeqCst) + 1;
        let buffer = || self.buffer.lock().unwrap_or_else(PoisonError::into_inner);
        *buffer() = inputs.to_vec();
        std::thread::sleep(Duration::from_millis(1));
        let shared = buffer().clone();
        self.inside.fetch_sub(1, Ordering::SeqCst);
        if self.fault == Fault::Refusing && inside > 1 {
            return Err(Refusal::failed("the session is busy"));
        }
        let used = if self.fault == Fault::SharedBuffer { &shared } else { inputs };
        let answer = OracleBackend::default().prepare(&self.model)?.run(used)?;
        let is_wrong = self.fault == Fault::Always || self.fault == Fault::AfterFourRuns && runs > 4;
        Ok(if is_wrong { elements(answer, |t, i| t.bits_at(i) ^ 0x0050_0000) } else { answer })
    }
}

impl Backend for Faulty {
    fn identity(&self) -> Identity {
        Identity { name: "faulty".to_owned(), version: "1".to_owned() }
    }
    fn profile(&self) -> &Profile {
        &self.profile
    }
    fn prepare(&self, model: &Model) -> Result<Box<dyn Prepared>, Refusal> {
        let (buffer, inside, runs) = (Mutex::default(), AtomicUsize::new(0), AtomicUsize::new(0));
        Ok(Box::new(Session { model: model.clone(), fault: self.fault, buffer, inside, runs }))
    }
}

impl Prepared for Session {
    fn run(&mut self, inputs: &[Value]) -> Result<Vec<Value>, Refusal> {
        self.answer(inputs)
    }
    fn run_at_once(&mut self, inputs: [&[Value]; 2]) -> Result<[Vec<Value>; 2], Refusal> {
        at_once(inputs, |inputs| self.answer(inputs))
    }
}

/// Returns the kinds of the failures of a backend.
fn kinds(fault: Fault, concurrent_runs: bool) -> Vec<FailKind> {
    let backend = move || -> Box<dyn Backend> {
        Box::new(Faulty { fault, profile: Profile { concurrent_runs, ..Profile::default() } })
    };
    let (outcome, results, _) = run_on(&["Exp", "Neg"], backend, &[]);
    assert!(outcome.broken.is_empty(), "{:?}", outcome.broken);
    assert!(results.iter().all(|row| row.kind.is_some() == (row.verdict == Verdict::Fail)));
    let mut kinds: Vec<FailKind> = results.iter().filter_map(|row| row.kind).collect();
    kinds.sort();
    kinds.dedup();
    kinds
}

#[test]
fn a_buffer_that_two_runs_share_is_caught() {
    assert_eq!(kinds(Fault::SharedBuffer, true), [FailKind::Concurrent]);
    assert_eq!(kinds(Fault::Refusing, true), [FailKind::Concurrent]);
    assert_eq!(kinds(Fault::None, true), []);
}

#[test]
fn only_backends_that_declare_it_run_a_session_on_two_threads() {
    assert_eq!(kinds(Fault::SharedBuffer, false), []);
}

#[test]
fn what_is_wrong_in_single_runs_too_is_not_concurrent() {
    let always = kinds(Fault::Always, true);
    assert!(!always.is_empty() && !always.contains(&FailKind::Concurrent), "{always:?}");
    let later = kinds(Fault::AfterFourRuns, true);
    assert_eq!(later, [FailKind::LeaksState]);
}

//! Backends that answer correctly once, but then give other answers or keep state between runs, and backends that
//! require constant inputs.

use std::sync::{Arc, Mutex};

use plumbline_backend::{Backend, Identity, Local, Prepared, Profile};
use plumbline_conformance::{FailKind, Subject, Verdict};
use plumbline_executor::OracleBackend;
use plumbline_graph::Refusal;
use plumbline_tensor::{Model, Value};

use crate::common::{elements, run_on};
use crate::twisted::Twisted;

/// Runs a backend that answers the first run of a session like the oracle. It answers later runs with what `later`
/// makes of the first answer and the right one. Returns the kinds of its failures.
fn kinds(operators: &[&str], later: fn(&[Value], Vec<Value>) -> Vec<Value>, profile: Profile) -> Vec<FailKind> {
    let backend = move || -> Box<dyn Backend> {
        Twisted::boxed(profile.clone(), move |_| {
            let mut first: Option<Vec<Value>> = None;
            Box::new(move |inner, inputs| {
                let answer = inner.run(inputs)?;
                match &first {
                    None => Ok(first.insert(answer).clone()),
                    Some(first) => Ok(later(first, answer)),
                }
            })
        })
    };
    let (_, results, _) = run_on(operators, backend, &[]);
    let mut kinds: Vec<FailKind> = results.iter().filter_map(|r| r.kind).collect();
    kinds.dedup();
    kinds
}

/// Flips the lowest bit of every element. The accepted interval of an element may contain the result as well.
fn a_bit_off(_: &[Value], answer: Vec<Value>) -> Vec<Value> {
    elements(answer, |t, i| t.bits_at(i) ^ 1)
}

#[test]
fn a_session_that_gives_changing_answers_is_caught() {
    assert_eq!(kinds(&["Exp"], a_bit_off, Profile::default()), [FailKind::Nondeterministic]);
    assert_eq!(kinds(&["Exp"], |_, answer| answer, Profile::default()), []);
    // If a backend declares itself nondeterministic, each run is judged by itself.
    let declared = Profile { nondeterministic: true, ..Profile::default() };
    assert!(!kinds(&["Exp"], a_bit_off, declared).contains(&FailKind::Nondeterministic));
}

#[test]
fn a_session_that_repeats_its_first_answer_is_caught() {
    let kept = kinds(&["Floor", "Expand"], |first, _| first.to_vec(), Profile::default());
    assert_eq!(kept, [FailKind::LeaksState]);
}

/// In the later runs of a session, the backend repeats the session's first answer. It refuses the inputs of a first run
/// if a later run of another session has already had them.
#[test]
fn a_failure_of_a_later_run_stays_if_a_fresh_session_refuses_its_inputs() {
    let seen: Arc<Mutex<Vec<Vec<Value>>>> = Arc::default();
    let backend = move || -> Box<dyn Backend> {
        let seen = Arc::clone(&seen);
        Twisted::boxed(Profile::default(), move |_| {
            let seen = Arc::clone(&seen);
            let mut first: Option<Vec<Value>> = None;
            Box::new(move |inner, inputs| {
                let mut seen = seen.lock().unwrap();
                if let Some(first) = &first {
                    seen.push(inputs.to_vec());
                    return Ok(first.clone());
                }
                if seen.iter().any(|later| later == inputs) {
                    return Err(Refusal::unsupported("only later runs may have these inputs"));
                }
                Ok(first.insert(inner.run(inputs)?).clone())
            })
        })
    };
    let (outcome, results, _) = run_on(&["Floor"], backend, &[]);
    assert!(results.iter().any(|r| r.verdict == Verdict::Fail), "the wrong answers count as unsupported");
    assert!(outcome.unexpected_count > 0);
}

/// A backend that accepts some inputs only as constants.
struct Particular {
    profile: Profile,
}

impl Backend for Particular {
    fn identity(&self) -> Identity {
        Identity { name: "particular".to_owned(), version: "1".to_owned() }
    }
    fn profile(&self) -> &Profile {
        &self.profile
    }
    fn prepare(&self, model: &Model) -> Result<Box<dyn Prepared>, Refusal> {
        if model.input_names().contains(&"shape") {
            return Err(Refusal::unsupported("`shape` is not constant"));
        }
        OracleBackend::default().prepare(model)
    }
}

#[test]
fn a_profile_makes_inputs_constant() {
    let judged = |profile: Profile| {
        let backend = move || -> Box<dyn Backend> { Box::new(Particular { profile: profile.clone() }) };
        let (outcome, results, _) = run_on(&["Expand"], backend, &[]);
        assert_eq!(outcome.unexpected_count, 0, "{:?}", outcome.unexpected);
        let generated = results.iter().filter(|r| r.suite == "generated");
        generated.filter(|r| r.verdict == Verdict::Unsupported).count()
    };
    assert!(judged(Profile::default()) > 100);
    let constant_inputs = [("Expand".to_owned(), vec!["shape".to_owned()])].into();
    assert_eq!(judged(Profile { constant_inputs, ..Profile::default() }), 0);
}

#[test]
fn a_profile_with_unknown_names_is_an_error() {
    let refused = |operator: &str, input: &str| {
        let constant_inputs = [(operator.to_owned(), vec![input.to_owned()])].into();
        let profile = Profile { constant_inputs, ..Profile::default() };
        let backend = move || Particular { profile: profile.clone() };
        let open = move || Ok(Box::new(Local::new(Box::new(backend()))) as Box<dyn plumbline_backend::Runner>);
        Subject::start("particular", Box::new(open)).err().unwrap()
    };
    assert!(refused("Expand", "shapes").contains("`shapes`, which is not an input of `Expand`"));
    assert!(refused("Expanding", "shape").contains("`Expanding`, which is not an operator"));
}

//! A failure that does not come back in another process is reported as flaky, and a failure that comes back is not.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use plumbline_backend::Profile;
use plumbline_conformance::{CaseResult, FailKind, Outcome};

use crate::common::{elements, run_on};
use crate::twisted::Twisted;

/// Runs a backend that answers as the oracle does, but flips the lowest bit of all elements in the outputs of some
/// models: those for which `is_wrong` returns true. It is given the number of a model, and whether any instance of the
/// backend has seen that model before. All instances number models together, so that it does not matter how the run
/// divides the work among them.
fn run(is_wrong: fn(usize, bool) -> bool) -> (Outcome, Vec<CaseResult>) {
    let seen = Arc::new(Mutex::new(HashSet::new()));
    let make = move || {
        let seen = seen.clone();
        Twisted::boxed(Profile::default(), move |model| {
            let mut seen = seen.lock().unwrap();
            let is_new = seen.insert(model.to_bytes());
            let is_wrong = is_wrong(seen.len(), !is_new);
            Box::new(move |inner, inputs| {
                let outputs = inner.run(inputs)?;
                Ok(if is_wrong { elements(outputs, |tensor, at| tensor.bits_at(at) ^ 1) } else { outputs })
            })
        })
    };
    let (outcome, results, out) = run_on(&["Identity"], make, &[]);
    for signature in results.iter().filter_map(|result| result.signature.as_ref()) {
        assert!(out.join("repro").join(signature).join("case.json").is_file(), "{signature} has no folder");
    }
    (outcome, results)
}

fn count(results: &[CaseResult], kind: FailKind) -> usize {
    results.iter().filter(|result| result.kind == Some(kind)).count()
}

#[test]
fn a_failure_that_does_not_come_back_is_flaky() {
    // A case that failed runs again with the same model.
    let (outcome, results) = run(|number, is_known| !is_known && number % 8 == 0);
    let flaky = count(&results, FailKind::Flaky);
    assert!(flaky > 0);
    assert_eq!(count(&results, FailKind::WrongValue), 0);
    assert_eq!(outcome.unexpected_count, flaky as u64, "each flaky failure counts as unexpected");
    let detail = results.iter().find(|r| r.kind == Some(FailKind::Flaky)).and_then(|r| r.detail.clone()).unwrap();
    assert!(detail.starts_with("wrong-value, which did not come back in another process: "), "{detail}");
}

#[test]
fn a_failure_that_comes_back_is_not_flaky() {
    let (outcome, results) = run(|_, _| true);
    assert_eq!(count(&results, FailKind::Flaky), 0);
    assert!(outcome.unexpected_count > 0 && count(&results, FailKind::WrongValue) > 0);
}

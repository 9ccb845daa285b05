//! A failure that does not come back in another process is reported as flaky, and a failure that comes back is not.

use std::sync::atomic::{AtomicU64, Ordering};

use plumbline_backend::Profile;
use plumbline_conformance::{CaseResult, FailKind, Outcome};

use crate::common::{elements, run_on};
use crate::twisted::Twisted;

/// Runs a backend that answers as the oracle does, but flips the lowest bit of all elements in the outputs of some
/// models: those for whose number `is_wrong` returns true. Each instance of the backend numbers its models from 0.
fn run(is_wrong: fn(u64) -> bool) -> (Outcome, Vec<CaseResult>) {
    let make = move || {
        let cases = AtomicU64::new(0);
        Twisted::boxed(Profile::default(), move |_| {
            let is_wrong = is_wrong(cases.fetch_add(1, Ordering::Relaxed));
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
    // The instance that runs failing cases again gets too few models to reach number 40, so it flips nothing.
    let (outcome, results) = run(|case| [40, 47, 55].contains(&case));
    let flaky = count(&results, FailKind::Flaky);
    assert!(flaky > 0);
    assert_eq!(count(&results, FailKind::WrongValue), 0);
    assert_eq!(outcome.unexpected_count, flaky as u64, "each flaky failure counts as unexpected");
    let detail = results.iter().find(|r| r.kind == Some(FailKind::Flaky)).and_then(|r| r.detail.clone()).unwrap();
    assert!(detail.starts_with("wrong-value, which did not come back in another process: "), "{detail}");
}

#[test]
fn a_failure_that_comes_back_is_not_flaky() {
    let (outcome, results) = run(|_| true);
    assert_eq!(count(&results, FailKind::Flaky), 0);
    assert!(outcome.unexpected_count > 0 && count(&results, FailKind::WrongValue) > 0);
}

//! Backends that declare that they do not check values at run time: what they may answer, and what stays a failure.

use plumbline_backend::{Backend, Profile};
use plumbline_conformance::{CaseResult, FailKind, Outcome, ReasonKind, Verdict, Work};
use plumbline_generator::cells;
use plumbline_graph::Refusal;
use plumbline_spec::{Spec, Unchecked};
use plumbline_tensor::{DType, Tensor, Value};

use crate::common::{run_on, run_work};
use crate::twisted::Twisted;

/// Operators with constraints that are seen only in values, and with others.
const OPERATORS: [&str; 3] = ["Bernoulli", "GatherND", "ReverseSequence"];

fn profile(declares: bool) -> Profile {
    let unchecked = Some(Unchecked::Values).filter(|_| declares).into_iter().collect();
    Profile { unchecked, ..Profile::default() }
}

/// Returns whether one of the operators has this constraint, and it is seen only in values.
fn is_in_values(refusal: &Refusal) -> bool {
    let rules = |name: &&str| Spec::embedded().operator("", name).and_then(|operator| operator.rules.as_ref());
    let rules = || OPERATORS.iter().filter_map(rules);
    refusal.label.is_some_and(|label| rules().any(|rules| rules.is_seen_in_values(label.name())))
}

/// What a backend does with a case that the oracle refuses, given the number of outputs.
type Act = fn(Refusal, usize) -> Result<Vec<Value>, Refusal>;

/// Returns the oracle as a backend that does this instead of a refusal.
fn instead(declares: bool, act: Act) -> Box<dyn Backend> {
    Twisted::boxed(profile(declares), move |model| {
        let outputs = model.output_names().len();
        Box::new(move |inner, inputs| inner.run(inputs).or_else(|refusal| act(refusal, outputs)))
    })
}

fn anything(outputs: usize) -> Vec<Value> {
    vec![Value::Tensor(Tensor::zeros(DType::Float, vec![]).unwrap()); outputs]
}

/// Answers what only values show to be invalid, and refuses everything else that is invalid.
fn answers_values(refusal: Refusal, outputs: usize) -> Result<Vec<Value>, Refusal> {
    if is_in_values(&refusal) { Ok(anything(outputs)) } else { Err(refusal) }
}

fn unchecked(results: &[CaseResult]) -> Vec<&CaseResult> {
    results.iter().filter(|result| result.reason == Some(ReasonKind::Unchecked)).collect()
}

#[test]
fn answers_that_only_values_show_to_be_invalid_are_latitude_if_that_is_declared() {
    let (outcome, results, _) = run_on(&OPERATORS, || instead(true, answers_values), &[]);
    assert_eq!(outcome.unexpected_count, 0, "{:?}", outcome.unexpected);
    let found = unchecked(&results);
    for name in OPERATORS {
        assert!(found.iter().any(|result| result.op == name), "{name} has no such answer");
    }
    assert!(found.iter().all(|result| result.verdict == Verdict::Latitude && result.rule.is_some()));
    assert_eq!(outcome.unchecked.values().sum::<u64>(), found.len() as u64);

    let (outcome, others, _) = run_on(&OPERATORS, || instead(false, answers_values), &[]);
    let failed = others.iter().filter(|result| result.kind == Some(FailKind::AcceptsInvalid)).count();
    assert_eq!((failed, outcome.unexpected_count), (found.len(), found.len() as u64));
    assert!(unchecked(&others).is_empty());
}

#[test]
fn an_answer_to_what_attributes_and_shapes_show_stays_a_failure() {
    let (outcome, results, _) = run_on(&OPERATORS, || instead(true, |_, outputs| Ok(anything(outputs))), &[]);
    let failed: Vec<&CaseResult> = results.iter().filter(|r| r.kind == Some(FailKind::AcceptsInvalid)).collect();
    for rule in ["dtype-allowed", "index-length-fits-rank", "sequence-lens-shape-fits"] {
        assert!(failed.iter().any(|result| result.rule.as_deref() == Some(rule)), "{rule} was not caught");
    }
    assert_eq!(outcome.unexpected_count, failed.len() as u64);
    assert!(!unchecked(&results).is_empty());
}

#[test]
fn a_crash_and_an_unusable_answer_stay_failures() {
    let crash: Act = |refusal, _| if is_in_values(&refusal) { panic!("on purpose") } else { Err(refusal) };
    let (outcome, results, _) = run_on(&OPERATORS, move || instead(true, crash), &[]);
    let crashed = results.iter().filter(|result| result.verdict == Verdict::Crash).count() as u64;
    assert!(crashed > 0 && outcome.unexpected_count == crashed, "{crashed} of {}", outcome.unexpected_count);

    let garbage: Act = |refusal, _| if is_in_values(&refusal) { Ok(vec![]) } else { Err(refusal) };
    let (outcome, results, _) = run_on(&OPERATORS, move || instead(true, garbage), &[]);
    let unusable = results.iter().filter(|result| result.kind == Some(FailKind::Garbage)).count() as u64;
    assert!(unusable > 0 && outcome.unexpected_count == unusable, "{unusable} of {}", outcome.unexpected_count);
}

#[test]
fn a_refusal_is_judged_as_without_the_declaration() {
    for declares in [false, true] {
        let (outcome, results, _) = run_on(&OPERATORS, move || instead(declares, |refusal, _| Err(refusal)), &[]);
        assert_eq!(outcome.unexpected_count, 0, "{:?}", outcome.unexpected);
        let negative = results.iter().filter(|result| result.suite == "negative");
        assert!(negative.clone().count() > 20 && negative.clone().all(|result| result.verdict == Verdict::Pass));
    }
}

/// A case that was changed at random may violate such a constraint, too.
#[test]
fn mutated_cases_go_by_the_same_declaration() {
    let run = |declares| -> (Outcome, Vec<CaseResult>) {
        let wanted = cells().into_iter().filter(|cell| OPERATORS[1..].contains(&cell.version.id.name.as_str()));
        let work = wanted.map(Work::Mutated).collect();
        let (outcome, results, _) = run_work(work, 12, move || instead(declares, answers_values), &[]);
        (outcome, results)
    };
    let (outcome, results) = run(true);
    let found = unchecked(&results);
    assert!(!found.is_empty() && found.iter().all(|result| result.verdict == Verdict::Latitude));
    assert_eq!(outcome.unexpected_count, 0, "{:?}", outcome.unexpected);
    let (outcome, _) = run(false);
    assert_eq!(outcome.unexpected_count, found.len() as u64);
}

//! A baseline, drafted from a run, hides no second fault of an operator behind the first.

use std::path::Path;

use plumbline_backend::Profile;
use plumbline_conformance::gate::{Decision, Gate};
use plumbline_conformance::{CaseResult, Draft, Expectations, Outcome, Work};
use plumbline_generator::{Cell, cells};
use plumbline_spec::Spec;
use plumbline_tensor::{DType, Tensor, Value};

use crate::common::{elements, run_work};
use crate::twisted::Twisted;

const OPERATORS: [&str; 20] = [
    "Abs",
    "Neg",
    "Floor",
    "Ceil",
    "Sqrt",
    "Exp",
    "Log",
    "Sigmoid",
    "Tanh",
    "Relu",
    "Add",
    "Sub",
    "Mul",
    "Div",
    "Max",
    "Min",
    "Reciprocal",
    "Transpose",
    "Concat",
    "Softplus",
];

/// The number of cases for each cell: those of the newest version with floats.
const CASES: u64 = 60;

/// A fault: whether an answer with this number of elements is wrong, and which bits of its first element are.
#[derive(Clone, Copy)]
struct Fault {
    concerns: fn(usize) -> bool,
    bits: u64,
}

/// The fault that the baseline has: a few units in the last place, in some cases.
const FIRST: Fault = Fault { concerns: |length| length % 3 == 1, bits: 1 << 5 };

fn run(fault: Fault, expectations: &[Expectations]) -> (Outcome, Vec<CaseResult>) {
    let changed = move |t: &Tensor, index: usize| {
        let is_meant = t.dtype() == DType::Float;
        let bits = if index == 0 && is_meant && (fault.concerns)(t.len()) { fault.bits } else { 0 };
        t.bits_at(index) ^ bits
    };
    let backend = move || {
        Twisted::boxed(Profile::default(), move |_| {
            Box::new(move |inner, inputs: &[Value]| Ok(elements(inner.run(inputs)?, changed)))
        })
    };
    let is_meant = |cell: &Cell| {
        let id = &cell.version.id;
        let newest = Spec::embedded().operator(&id.domain, &id.name).and_then(|operator| operator.versions.last());
        OPERATORS.contains(&id.name.as_str())
            && newest.is_some_and(|newest| newest.since() == id.since)
            && cell.bound.as_ref().is_some_and(|(_, bound)| bound.leaf_dtype() == DType::Float)
    };
    let work = cells().into_iter().filter(is_meant).map(|cell| Work::Cell(cell, None)).collect();
    let (outcome, results, _) = run_work(work, CASES, backend, expectations);
    (outcome, results)
}

fn drafted(results: &[CaseResult]) -> String {
    let mut draft = Draft::default();
    results.iter().for_each(|result| draft.add(result));
    results.iter().for_each(|result| draft.add_features(result));
    format!("backend = \"twisted\"\n{}", draft.text(CASES))
}

#[test]
fn a_second_fault_of_each_operator_fails_the_gate() {
    let (outcome, results) = run(FIRST, &[]);
    assert!(outcome.unexpected_count > 0);
    let text = drafted(&results);
    let baseline = || [Expectations::parse(Path::new("baseline.toml"), &text).unwrap()];
    let (same, _) = run(FIRST, &baseline());
    assert_eq!(Gate::default().decide(&same, 0), Decision::Conforms, "{:?}\n{text}", same.exceeded);

    let larger = Fault { bits: 1 << 13, ..FIRST };
    let in_more_cases = Fault { concerns: |length| length > 0, ..FIRST };
    for (name, second) in [("a larger error", larger), ("the error in more cases", in_more_cases)] {
        let (outcome, results) = run(second, &baseline());
        assert_ne!(Gate::default().decide(&outcome, 0), Decision::Conforms, "{name}");
        for operator in OPERATORS {
            let is_unexpected = |r: &CaseResult| r.op == operator && r.verdict.is_bad() && r.expected_verdict.is_none();
            let lines: Vec<&str> = text.lines().collect();
            let is_exceeded = outcome.exceeded.iter().any(|exceeded| {
                let line: usize = exceeded.split(':').nth(1).unwrap().parse().unwrap();
                lines[line].contains(&format!("\"{operator}-"))
            });
            assert!(is_exceeded || results.iter().any(is_unexpected), "{operator}: {name} was not noticed\n{text}");
        }
    }
}

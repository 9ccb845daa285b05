//! The suite of cases that are changed at random: which cases it has, how they are judged, and that wrong backends do
//! not pass it.

use std::collections::BTreeSet;

use plumbline_backend::{Backend, Profile};
use plumbline_conformance::{CaseResult, FailKind, Outcome, Right, Verdict, Work, mutated, right};
use plumbline_cpu::Cpu;
use plumbline_executor::directml::backend::DirectMlSoftware;
use plumbline_generator::{Case, Cell, cells};
use plumbline_graph::Refusal;
use plumbline_oracle::Oracle;
use plumbline_spec::directml::FeatureLevel;
use plumbline_tensor::Value;

use crate::common::run_work;
use crate::twisted::Twisted;

/// Returns every `step`-th cell of all operators.
fn some_cells(step: usize) -> Vec<Cell> {
    cells().into_iter().step_by(step).collect()
}

fn cells_of(operators: &[&str]) -> Vec<Cell> {
    cells().into_iter().filter(|cell| operators.contains(&cell.version.id.name.as_str())).collect()
}

fn run(
    cells: Vec<Cell>,
    cases: u64,
    backend: impl Fn() -> Box<dyn Backend> + Send + Sync + 'static,
) -> (Outcome, Vec<CaseResult>) {
    let (outcome, results, _) = run_work(cells.into_iter().map(Work::Mutated).collect(), cases, backend, &[]);
    assert!(outcome.broken.is_empty(), "{:?}", outcome.broken);
    (outcome, results)
}

type Outputs = Result<Vec<Value>, Refusal>;

/// Returns the oracle as a backend that applies `change` to each answer.
fn twist(change: fn(Outputs) -> Outputs) -> Box<dyn Backend> {
    Twisted::boxed(Profile::default(), move |_| Box::new(move |inner, inputs| change(inner.run(inputs))))
}

#[test]
fn a_seed_always_gives_the_same_cases_and_an_id_gives_its_case_again() {
    for cell in some_cells(60) {
        let Some(case) = mutated::draw(&cell, 1, 7) else { continue };
        assert_eq!(case.id, format!("mutated/{cell}/1@7"));
        assert_eq!(mutated::draw(&cell, 1, 7).as_ref(), Some(&case));
        assert_eq!(mutated::case_of(&case.id).unwrap(), case);
        if let Some(other) = mutated::draw(&cell, 1, 8) {
            assert_ne!((other.model, other.origin.changes()), (case.model, case.origin.changes()), "{cell}");
        }
    }
    for id in ["Min-13/T=float/0@0", "mutated/Min-13/T=float/shapes-broadcast/0@0", "mutated/Min-13/T=word/0@0"] {
        assert!(mutated::case_of(id).is_err(), "{id}");
    }
}

#[test]
fn every_kind_of_change_occurs_and_few_outcomes_are_open() {
    let cases: Vec<Case> = some_cells(7).iter().filter_map(|cell| mutated::draw(cell, 0, 0)).collect();
    let told: Vec<&String> = cases.iter().flat_map(|case| case.origin.changes()).collect();
    for what in [
        "no_such_attribute given as ",
        "[] ",
        "\\xff",
        "NaN",
        &i64::MIN.to_string(),
        " left out",
        " given once more",
        " swapped",
        " as float16",
        " without axis ",
        " with one more axis ",
        "shape of ",
        " with element ",
        " with all elements ",
        " without items",
        "output ",
        "an output added",
        "-13 -> ",
        "the node is in an If",
        "the node is there twice",
        "the node runs again on its own output",
    ] {
        assert!(told.iter().any(|change| change.contains(what)), "no case has a change with `{what}`");
    }
    let reference = Oracle::default();
    let mut counts = [0; 3];
    for case in cases.iter().step_by(4) {
        counts[match right(&reference, case).unwrap() {
            Right::Outputs { .. } => 0,
            Right::Refusal(_) | Right::ByRelease { .. } => 1,
            Right::Open { .. } => 2,
        }] += 1;
    }
    let [valid, invalid, open] = counts;
    assert!(valid > 40 && invalid > 40, "{counts:?}");
    assert!(open < valid / 4, "too many cases cannot be judged: {counts:?}");
}

#[test]
fn our_own_backends_agree_with_the_oracle() {
    // Nothing of DirectML checks the rules of ONNX, so it answers some invalid cases.
    let backends: [fn() -> Box<dyn Backend>; 2] =
        [|| Box::new(Cpu::new()), || Box::new(DirectMlSoftware::new(FeatureLevel::LAST))];
    for (backend, checks) in backends.into_iter().zip([true, false]) {
        let (outcome, results) = run(some_cells(23), 1, backend);
        let is_wrong = |r: &&CaseResult| r.verdict.is_bad() && (checks || r.kind != Some(FailKind::AcceptsInvalid));
        let failed: Vec<String> =
            results.iter().filter(is_wrong).map(|r| format!("{}: {:?}", r.case, r.detail)).collect();
        assert!(failed.is_empty(), "{}", failed.join("\n"));
        let judged: BTreeSet<Verdict> = results.iter().map(|r| r.verdict).collect();
        assert!(judged.contains(&Verdict::Pass) && outcome.cases > 300, "{judged:?} of {} cases", outcome.cases);
        assert!(results.iter().all(|r| r.suite == "mutated" && r.detail.is_some()), "a result names no change");
    }
}

#[test]
fn a_backend_that_ignores_an_attribute_is_caught() {
    struct Forgetful(Cpu);
    impl Backend for Forgetful {
        fn identity(&self) -> plumbline_backend::Identity {
            self.0.identity()
        }
        fn profile(&self) -> &Profile {
            self.0.profile()
        }
        fn prepare(&self, model: &plumbline_tensor::Model) -> Result<Box<dyn plumbline_backend::Prepared>, Refusal> {
            let mut model = model.clone();
            for node in model.proto.graph.iter_mut().flat_map(|graph| &mut graph.node) {
                node.attribute.retain(|attribute| attribute.name.as_deref() != Some("keepdims"));
            }
            self.0.prepare(&model)
        }
    }
    let (right, _) = run(cells_of(&["ReduceMax"]), 4, || Box::new(Cpu::new()));
    assert_eq!(right.unexpected_count, 0, "{:?}", right.unexpected);
    let (_, results) = run(cells_of(&["ReduceMax"]), 4, || Box::new(Forgetful(Cpu::new())));
    let kinds: BTreeSet<_> = results.iter().filter_map(|r| r.kind).collect();
    assert!(kinds.contains(&FailKind::WrongShape), "the wrong shape was not caught: {kinds:?}");
    assert!(kinds.contains(&FailKind::AcceptsInvalid), "an attribute of another type was not caught: {kinds:?}");
}

#[test]
fn a_backend_that_refuses_everything_does_not_pass() {
    let (_, results) = run(cells_of(&["Concat"]), 2, || twist(|_| Err(Refusal::invalid("no"))));
    let passed = results.iter().filter(|r| r.verdict == Verdict::Pass).count();
    assert!(passed == 0 && results.iter().any(|r| r.verdict == Verdict::Unsupported), "{passed} cases pass");
    assert!(results.iter().any(|r| r.kind == Some(FailKind::RejectsValid)));
}

#[test]
fn a_backend_that_answers_everything_is_caught() {
    let (_, results) = run(cells_of(&["Concat"]), 2, || Box::new(Answers));
    assert!(results.iter().any(|r| r.kind == Some(FailKind::AcceptsInvalid)));
}

/// A backend that answers each model with its first input.
struct Answers;

impl Backend for Answers {
    fn identity(&self) -> plumbline_backend::Identity {
        plumbline_backend::Identity { name: "answers".to_owned(), version: "1".to_owned() }
    }
    fn profile(&self) -> &Profile {
        static PROFILE: std::sync::LazyLock<Profile> = std::sync::LazyLock::new(Profile::default);
        &PROFILE
    }
    fn prepare(&self, _: &plumbline_tensor::Model) -> Result<Box<dyn plumbline_backend::Prepared>, Refusal> {
        struct First;
        impl plumbline_backend::Prepared for First {
            fn run(&mut self, inputs: &[Value]) -> Result<Vec<Value>, Refusal> {
                Ok(inputs.iter().take(1).cloned().collect())
            }
        }
        Ok(Box::new(First))
    }
}

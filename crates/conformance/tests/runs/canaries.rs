//! Backends that are wrong on purpose: each must be caught, and the oracle itself must pass.

use std::path::PathBuf;

use plumbline_backend::{Backend, Identity, Prepared, Profile};
use plumbline_conformance::{CaseResult, Expectations, FailKind, Outcome, Verdict, Work};
use plumbline_cpu::Cpu;
use plumbline_generator::cells;
use plumbline_graph::Refusal;
use plumbline_oracle::Oracle;
use plumbline_tensor::{DType, Model, Tensor, Value};

use crate::common::{elements, run_on, run_work};
use crate::twisted::Twisted;

/// Turns the oracle's answer into a wrong one. The second argument is the model.
type Wrong = fn(Result<Vec<Value>, Refusal>, &Model) -> Result<Vec<Value>, Refusal>;

fn run(operators: &[&str], wrong: Wrong, expectations: &[Expectations]) -> (Outcome, Vec<CaseResult>, PathBuf) {
    let backend = move || {
        Twisted::boxed(Profile::default(), move |model| {
            let model = model.clone();
            Box::new(move |inner, inputs| wrong(inner.run(inputs), &model))
        })
    };
    run_on(operators, backend, expectations)
}

/// Runs a wrong backend, asserts that it is caught as `kind` on `operators`, and returns the results.
fn caught(operators: &[&str], kind: FailKind, wrong: Wrong) -> Vec<CaseResult> {
    let (outcome, results, out) = run(operators, wrong, &[]);
    assert!(outcome.unexpected_count > 0, "no failure was found");
    let failed: Vec<&CaseResult> = results.iter().filter(|r| r.verdict == Verdict::Fail).collect();
    assert!(failed.iter().any(|r| r.kind == Some(kind)), "no failure is a {kind:?}: {failed:?}");
    let signature = failed[0].signature.as_ref().unwrap();
    for file in ["model.onnx", "model.txt", "case.json", "answers.txt", "test_data_set_0"] {
        assert!(out.join("repro").join(signature).join(file).exists(), "repro/{signature}/{file} is missing");
    }
    results
}

/// The `cpu` backend with one operator replaced by another, as if its kernel were wrong.
struct Mistaken {
    cpu: Cpu,
    replaced: (&'static str, &'static str),
}

impl Backend for Mistaken {
    fn identity(&self) -> Identity {
        Identity { name: "mistaken".to_owned(), version: "1".to_owned() }
    }
    fn profile(&self) -> &Profile {
        self.cpu.profile()
    }
    fn prepare(&self, model: &Model) -> Result<Box<dyn Prepared>, Refusal> {
        let mut model = model.clone();
        for node in model.proto.graph.iter_mut().flat_map(|graph| &mut graph.node) {
            if node.op_type.as_deref() == Some(self.replaced.0) {
                node.op_type = Some(self.replaced.1.to_owned());
            }
        }
        self.cpu.prepare(&model)
    }
}

#[test]
fn swapped_kernels_of_cpu_are_caught() {
    let with =
        |operator, by| move || -> Box<dyn Backend> { Box::new(Mistaken { cpu: Cpu::new(), replaced: (operator, by) }) };
    for (operator, by) in
        [("Floor", "Ceil"), ("Min", "Max"), ("Sub", "Add"), ("Less", "LessOrEqual"), ("Sigmoid", "HardSigmoid")]
    {
        let (right, ..) = run_on(&[operator], with(operator, operator), &[]);
        assert_eq!(right.unexpected_count, 0, "{operator}: {:?}", right.unexpected);
        let (wrong, ..) = run_on(&[operator], with(operator, by), &[]);
        assert!(wrong.unexpected_count > 0, "{by} in place of {operator} was not caught");
    }
}

#[test]
fn the_oracle_passes() {
    let (outcome, results, _) = run(&["Min", "Floor", "Expand"], |answer, _| answer, &[]);
    assert_eq!(outcome.unexpected_count, 0, "{:?}", outcome.unexpected);
    assert!(outcome.broken.is_empty() && outcome.missing.is_empty());
    assert!(results.len() as u64 == outcome.cases && outcome.cases > 500);
    assert!(results.iter().all(|r| matches!(r.verdict, Verdict::Pass | Verdict::Latitude)));
}

#[test]
fn a_wrong_bit_of_a_copied_element_is_caught() {
    caught(&["Expand"], FailKind::WrongValue, |answer, _| {
        Ok(elements(answer?, |t, i| if i == 0 { t.bits_at(i) ^ 1 } else { t.bits_at(i) }))
    });
}

#[test]
fn a_lost_sign_of_a_copied_zero_is_caught() {
    let results = caught(&["Expand"], FailKind::WrongValue, |answer, _| {
        let positive = |t: &Tensor, i: usize| {
            let zero = t.dtype().is_float() && t.f64_at(i) == 0.0;
            if zero { 0 } else { t.bits_at(i) }
        };
        Ok(elements(answer?, positive))
    });
    assert!(results.iter().any(|r| r.detail.as_ref().is_some_and(|d| d.contains("-0.0"))));
}

#[test]
fn negative_floors_that_are_one_too_high_are_caught() {
    caught(&["Floor"], FailKind::WrongValue, |answer, _| {
        let up = |t: &Tensor, i: usize| {
            let x = t.f64_at(i);
            let format = t.dtype().float_format().unwrap();
            let y = if x < 0.0 && x > -100.0 { x + 1.0 } else { x };
            format.encode(y, plumbline_tensor::Saturation::None)
        };
        Ok(elements(answer?, up))
    });
}

#[test]
fn a_wrong_shape_is_caught() {
    caught(&["Min"], FailKind::WrongShape, |answer, _| {
        let flat = |v: Value| match v {
            Value::Tensor(t) => {
                let count = t.len();
                Value::Tensor(t.reshaped(vec![count]).unwrap())
            }
            other => other,
        };
        Ok(answer?.into_iter().map(flat).collect())
    });
}

#[test]
fn a_wrong_type_is_caught() {
    caught(&["Min"], FailKind::WrongType, |answer, _| {
        let widen = |v: Value| match v {
            Value::Tensor(t) if t.dtype() == DType::Float16 => {
                Value::Tensor(Tensor::from_f64s(DType::Float, t.shape().to_vec(), &t.to_f64s()).unwrap())
            }
            other => other,
        };
        Ok(answer?.into_iter().map(widen).collect())
    });
}

#[test]
fn missing_outputs_are_caught() {
    let results = caught(&["Min"], FailKind::Garbage, |_, _| Ok(vec![]));
    assert!(results.iter().all(|r| r.kind == Some(FailKind::Garbage)));
}

#[test]
fn a_refusal_of_valid_cases_is_caught() {
    caught(&["Floor"], FailKind::RejectsValid, |_, _| Err(Refusal::invalid("I would rather not")));
}

#[test]
fn an_answer_to_invalid_cases_is_caught() {
    let results = caught(&["Expand", "Min"], FailKind::AcceptsInvalid, |answer, model| match answer {
        Ok(values) => Ok(values),
        Err(_) => {
            let outputs = model.output_names().len();
            Ok(vec![Value::Tensor(Tensor::zeros(DType::Float, vec![]).unwrap()); outputs])
        }
    });
    let negative: Vec<&CaseResult> = results.iter().filter(|r| r.suite == "negative").collect();
    assert!(!negative.is_empty());
    assert!(negative.iter().all(|r| r.kind == Some(FailKind::AcceptsInvalid)));
}

/// Returns the results of the negative cases.
fn negative(results: &[CaseResult]) -> Vec<&CaseResult> {
    results.iter().filter(|r| r.suite == "negative").collect()
}

/// Operators with few element types and many constraints.
const CONSTRAINED: [&str; 5] = ["AffineGrid", "Col2Im", "Expand", "STFT", "TopK"];

#[test]
fn a_refusal_of_everything_is_no_pass_of_invalid_cases() {
    let (outcome, results, _) = run(&CONSTRAINED, |_, _| Err(Refusal::invalid("I would rather not")), &[]);
    let negative = negative(&results);
    assert!(negative.iter().all(|r| r.verdict == Verdict::Unsupported), "{negative:?}");
    let said = |r: &CaseResult| r.detail.as_ref().is_some_and(|d| d.contains("is refused too: I would rather not"));
    assert!(negative.iter().all(|r| said(r)), "{negative:?}");
    assert_eq!(outcome.unjudged.values().sum::<u64>(), negative.len() as u64);
}

/// Operators with rules that let backends refuse a valid case. A rule of ReduceLogSum is about every case of the cells of
/// integers.
const EXCUSED: [&str; 4] = ["Clip", "Div", "LpPool", "ReduceLogSum"];

/// A backend that refuses everything does not refuse because of a rule.
#[test]
fn no_rule_excuses_a_refusal_of_everything() {
    let (_, results, _) = run(&EXCUSED, |_, _| Err(Refusal::invalid("I would rather not")), &[]);
    let valid = results.iter().filter(|r| r.suite == "generated");
    let excused: Vec<&CaseResult> = valid.filter(|r| r.kind != Some(FailKind::RejectsValid)).collect();
    assert!(excused.is_empty(), "{excused:?}");
}

/// Returns a backend that refuses the cases that a rule lets it refuse, and all others if `other` gives it a reason.
fn refusing(other: Option<&'static str>) -> impl Fn() -> Box<dyn Backend> + Send + Sync {
    move || {
        Twisted::boxed(Profile::default(), move |model| {
            let model = model.clone();
            Box::new(move |inner, inputs| {
                let open = Oracle::default().evaluate(&model, inputs).is_ok_and(|e| e.refusable().is_some());
                match other {
                    _ if open => Err(Refusal::failed("this is left open")),
                    Some(other) => Err(Refusal::failed(other)),
                    None => inner.run(inputs),
                }
            })
        })
    }
}

/// The refusal of a case is not excused if the settled twin is refused in other words: nothing shows that the rule is the
/// cause.
#[test]
fn no_rule_excuses_a_refusal_if_the_twin_is_refused_for_another_reason() {
    let (outcome, results, _) = run_on(&EXCUSED, refusing(Some("out of memory")), &[]);
    let open = |r: &&CaseResult| r.suite == "generated" && r.kind != Some(FailKind::RejectsValid);
    let open: Vec<&CaseResult> = results.iter().filter(open).collect();
    assert!(open.len() > 10);
    let said = |r: &&CaseResult| r.detail.as_ref().is_some_and(|d| d.ends_with("is refused too: out of memory"));
    let wrong: Vec<&&CaseResult> = open.iter().filter(|r| r.verdict != Verdict::Unsupported || !said(r)).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!(outcome.unjudged.values().sum::<u64>() >= open.len() as u64);
}

#[test]
fn a_rule_excuses_refusals_of_what_it_leaves_open() {
    let (outcome, results, _) = run_on(&EXCUSED, refusing(None), &[]);
    assert_eq!(outcome.unexpected_count, 0, "{:?}", outcome.unexpected);
    let results: Vec<CaseResult> = results.into_iter().filter(|r| r.suite == "generated").collect();
    let excused = |r: &&CaseResult| r.detail.as_ref().is_some_and(|detail| detail.ends_with("this is left open"));
    assert!(results.iter().filter(excused).count() > 10);
    assert!(results.iter().filter(excused).all(|r| r.verdict == Verdict::Latitude));
}

#[test]
fn a_refusal_of_just_what_is_invalid_passes() {
    let (outcome, results, _) = run(&CONSTRAINED, |answer, _| answer, &[]);
    let negative = negative(&results);
    assert!(!negative.is_empty() && negative.iter().all(|r| r.verdict == Verdict::Pass), "{negative:?}");
    assert!(outcome.unjudged.is_empty());
}

#[test]
fn wrong_values_of_valid_cases_do_not_matter_to_invalid_ones() {
    let (_, results, _) = run(&["Expand"], |answer, _| Ok(elements(answer?, |t, i| t.bits_at(i) ^ 1)), &[]);
    assert!(negative(&results).iter().all(|r| r.verdict == Verdict::Pass));
}

#[test]
fn a_crash_of_valid_cases_is_no_pass_of_invalid_ones() {
    let twist: Wrong = |answer, _| answer.map(|_| panic!("on purpose"));
    let (_, results, _) = run(&["Expand"], twist, &[]);
    assert!(negative(&results).iter().all(|r| r.verdict == Verdict::Unsupported));
}

#[test]
fn unsupported_is_never_a_pass() {
    let (outcome, results, _) = run(&["Floor"], |_, _| Err(Refusal::unsupported("not this")), &[]);
    assert_eq!(outcome.unexpected_count, 0);
    assert!(results.iter().all(|r| r.verdict == Verdict::Unsupported));
}

#[test]
fn a_panic_is_a_crash_and_the_run_goes_on() {
    let (outcome, results, _) = run(&["Floor"], |_, _| panic!("on purpose"), &[]);
    assert!(outcome.unexpected_count > 0);
    assert!(results.iter().all(|r| r.verdict == Verdict::Crash));
    assert_eq!(results.len() as u64, outcome.cases);
}

#[test]
fn a_known_failure_is_expected_and_a_stale_one_is_reported() {
    let twist: Wrong = |_, _| Err(Refusal::invalid("I would rather not"));
    let text = |reason: &str| {
        format!(
            "backend = \"twisted\"\n[[expect]]\nop = \"Floor\"\nverdict = \"fail\"\nkind = \"rejects-valid\"\ndetail = \"{reason}\"\nblame = \"backend\"\ncases = 10\nreason = \"a canary\"\n"
        )
    };
    let known = Expectations::parse("known.toml".as_ref(), &text("rather not")).unwrap();
    let (outcome, _, _) = run(&["Floor"], twist, &[known]);
    assert_eq!((outcome.unexpected_count, outcome.stale.len()), (0, 0), "{:?}", outcome.unexpected);
    let other = Expectations::parse("other.toml".as_ref(), &text("another reason")).unwrap();
    let (outcome, _, _) = run(&["Floor"], twist, &[other]);
    assert!(outcome.unexpected_count > 0);
    assert_eq!(outcome.stale.len(), 1);
}

#[test]
fn a_failure_is_minimized() {
    // The backend changes elements between -10000 and -1, so the smallest failing case has one element.
    let (_, results, out) = run(
        &["Floor"],
        |answer, _| {
            Ok(elements(answer?, |t, i| {
                let x = t.f64_at(i);
                if x < -1.0 && x > -1e4 { t.bits_at(i) ^ 1 } else { t.bits_at(i) }
            }))
        },
        &[],
    );
    let failed = results.iter().find(|r| r.verdict == Verdict::Fail).unwrap();
    let dir = out.join("repro").join(failed.signature.as_ref().unwrap());
    let folder = plumbline_conformance::suite::CaseFolder::read(&dir).unwrap();
    let input = folder.data_sets[0].inputs[0].as_tensor().unwrap();
    assert!(input.len() == 1, "the minimized case has {} elements", input.len());
}

/// A failure is written when it is found, and again when it is minimized. Files of the first, larger case do not stay.
#[test]
fn a_repro_folder_has_the_files_of_one_failure() {
    let backend = || {
        Twisted::boxed(Profile::default(), |_| {
            Box::new(|inner, inputs| Ok(elements(inner.run(inputs)?, |t, i| t.bits_at(i) ^ 1)))
        })
    };
    // Min takes any number of inputs, so minimizing a case can remove some.
    let min: Vec<Work> =
        cells().into_iter().filter(|c| c.version.id.to_string() == "Min-1").map(|c| Work::Cell(c, None)).collect();
    let (_, results, out) = run_work(min, 6, backend, &[]);
    let signatures: std::collections::BTreeSet<_> = results.iter().filter_map(|r| r.signature.as_ref()).collect();
    assert!(!signatures.is_empty());
    for signature in signatures {
        let dir = out.join("repro").join(signature);
        let folder = plumbline_conformance::suite::CaseFolder::read(&dir).unwrap();
        for set in &folder.data_sets {
            assert_eq!(set.inputs.len(), folder.model.input_names().len(), "{signature}");
        }
    }
}

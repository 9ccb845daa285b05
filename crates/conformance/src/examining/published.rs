//! Runs ONNX's published cases on a backend.
//!
//! If the oracle has an answer, the backend is judged by it. The `reference` backend stands for the oracle itself: for
//! it, the published outputs are judged instead. If the oracle has no kernel, other backends are judged by the
//! published outputs with the suite's own tolerance. If the outputs that are needed were not published, the case is not
//! run. If the oracle refuses a case as invalid, a backend passes if it also refuses the case.

use std::time::Duration;

use plumbline_backend::Observation;
use plumbline_generator::Case;
use plumbline_graph::{Refusal, RefusalKind};
use plumbline_judge::{Judgement, Reason, Right, Verdict};
use plumbline_oracle::{Expected, Operand, Reference};
use plumbline_spec::Label;
use plumbline_tensor::{Model, Value};

use crate::cases::SuiteCase;
use crate::cases::suite::CaseFolder;
use crate::examining::examine::{conclude, examine_one};
use crate::examining::prepared::Prepared;
use crate::examining::repro::Failure;
use crate::examining::rerun::Runs;
use crate::results::CaseResult;
use crate::subjects::{Role, Subject};

/// The tolerance of the published suite, which applies if the oracle has no answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// The relative tolerance.
    pub relative: f64,
    /// The absolute tolerance.
    pub absolute: f64,
}

impl Default for Tolerance {
    /// Returns the tolerance of ONNX's own test runner.
    fn default() -> Tolerance {
        Tolerance { relative: 1e-3, absolute: 1e-7 }
    }
}

impl SuiteCase {
    /// Runs the case on one backend and judges it. The result of a case with several data sets is that of the worst
    /// one.
    pub fn judge(&self, subject: &Subject, deadline: Duration, tolerance: Tolerance) -> (CaseResult, Option<Failure>) {
        let not_run = |model: &Model, reason: &str| {
            let case = self.case(model, &[]);
            (CaseResult::new(&case, &self.suite, subject, &Judgement::not_run(reason)), None)
        };
        let folder = match CaseFolder::read(&self.path) {
            Ok(folder) => folder,
            Err(error) => return not_run(&Model::default(), &error.to_string()),
        };
        let sets = folder.data_sets.iter().map(|set| {
            let prepared = Prepared::alone(self.case(&folder.model, &set.inputs));
            examine_set(subject, &prepared, &set.outputs, deadline, tolerance)
        });
        // Of several equally bad data sets, the first one counts.
        let worst = sets.reduce(|worst, set| {
            let worse = rank(set.judgement.verdict) > rank(worst.judgement.verdict);
            if worse { set } else { worst }
        });
        let Some(failure) = worst else { return not_run(&folder.model, "the folder has no test_data_set_0") };
        let result = CaseResult::new(&failure.case, &self.suite, subject, &failure.judgement);
        let failure = result.signature.is_some().then_some(failure);
        (result, failure)
    }
}

/// Ranks verdicts: a case with several data sets gets the verdict with the highest rank.
fn rank(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Pass => 0,
        Verdict::Latitude => 1,
        Verdict::Unsupported => 2,
        Verdict::NotRun => 3,
        Verdict::Timeout => 4,
        Verdict::DeviceLost => 5,
        Verdict::Fail => 6,
        Verdict::Crash => 7,
    }
}

/// Runs one data set of a published case and judges it.
fn examine_set(
    subject: &Subject,
    prepared: &Prepared,
    published: &[Value],
    deadline: Duration,
    tolerance: Tolerance,
) -> Failure {
    let Prepared { case, .. } = prepared;
    let reference = Reference::new(subject.policy.clone());
    let oracle = reference.evaluate(&case.model, &case.inputs);
    let observed = |right: Right, observation: Observation| {
        conclude(subject, &Runs::new(&reference, case, &right, &[]), &[observation], None, deadline).failure
    };
    let not_run = |reason: String| observed(Right::from(vec![]), Observation::NotRun { reason });
    // A data set has all outputs of the model or none.
    let has_outputs = published.len() == case.model.output_names().len();
    let right = match oracle {
        Ok(_) if subject.role == Role::Oracle && !has_outputs => {
            return not_run("the data set has no outputs to judge".to_owned());
        }
        Ok(evaluation) if subject.role == Role::Oracle => {
            let published = Observation::Outputs { values: published.to_vec(), seconds: 0.0 };
            return observed(evaluation.into(), published);
        }
        Err(refusal) if subject.role == Role::Oracle => {
            return observed(Right::from(vec![]), Observation::Refused { refusal, seconds: 0.0 });
        }
        Ok(evaluation) => evaluation.into(),
        Err(refusal) => match refusal.kind {
            RefusalKind::Unsupported if !has_outputs => {
                let reason = format!("the data set has no outputs, and the oracle has no answer: {refusal}");
                return not_run(reason);
            }
            RefusalKind::Unsupported => Right::from(published.iter().map(|v| within(v, tolerance)).collect::<Vec<_>>()),
            RefusalKind::Invalid => return examine_refused(subject, prepared, &refusal, deadline),
            _ => return not_run(format!("the oracle fails on the case: {refusal}")),
        },
    };
    examine_one(subject, prepared, &right, deadline).failure
}

/// Runs a case of a folder and judges it by the oracle. If the oracle has no kernel for the case, the outputs of the
/// folder are what is right, with the suite's tolerance. If the oracle refuses the case as invalid, the backend must
/// refuse it too. `prepare` gets the case once the expected outcome is known. If the backend is the oracle itself, the
/// outputs of the folder are judged.
///
/// # Errors
/// Fails if nothing says what is expected, or if the oracle answers a case that violates a constraint.
pub fn examine_folder(
    subject: &Subject,
    mut case: Case,
    outputs: &[Value],
    deadline: Duration,
    prepare: impl FnOnce(Case, &Right) -> Prepared,
) -> Result<(Failure, Prepared), String> {
    if subject.role == Role::Oracle {
        let prepared = Prepared::alone(case);
        return Ok((examine_set(subject, &prepared, outputs, deadline, Tolerance::default()), prepared));
    }
    let right = match Reference::new(subject.policy.clone()).evaluate(&case.model, &case.inputs) {
        Err(refusal) if refusal.kind == RefusalKind::Invalid => {
            case.violates = refusal.label;
            Right::Refusal(refusal.label)
        }
        Err(refusal) if refusal.kind == RefusalKind::Unsupported && !outputs.is_empty() => {
            Right::from(outputs.iter().map(|value| within(value, Tolerance::default())).collect::<Vec<_>>())
        }
        Err(refusal) => return Err(format!("{}: the oracle has no answer: {refusal}", case.id)),
        Ok(_) if case.violates.is_some() => {
            let label = case.violates.map_or("", Label::name);
            return Err(format!("{}: the case violates {label}, but the oracle answers it", case.id));
        }
        Ok(evaluation) => evaluation.into(),
    };
    let prepared = prepare(case, &right);
    Ok((examine_one(subject, &prepared, &right, deadline).failure, prepared))
}

/// Runs a case that the oracle refuses. The backend passes if it also refuses the case. If the backend answers, nothing
/// says which answer is right, and the case is not judged.
fn examine_refused(subject: &Subject, prepared: &Prepared, refusal: &Refusal, deadline: Duration) -> Failure {
    let failure = examine_one(subject, prepared, &Right::Refusal(refusal.label), deadline).failure;
    match failure.observation {
        Observation::Outputs { .. } => {
            Failure { judgement: Judgement::not_run(Reason::OracleRefuses(refusal.clone())), ..failure }
        }
        _ => failure,
    }
}

/// Returns what is accepted for a published value: the suite's tolerance around each element of a floating-point
/// tensor, and only the value itself for any other type.
fn within(value: &Value, tolerance: Tolerance) -> Operand {
    match value {
        Value::Tensor(tensor) if tensor.dtype().is_float() => {
            let dtype = tensor.dtype();
            let numbers = tensor.to_f64s().into_iter().map(|x| {
                let reach = if x.is_finite() { tolerance.absolute + tolerance.relative * x.abs() } else { 0.0 };
                let real = plumbline_oracle::Real::constant(x, dtype);
                plumbline_oracle::Real { low: x - reach, high: x + reach, ..real }.into()
            });
            match Expected::from_numbers(dtype, tensor.shape().to_vec(), numbers.collect::<Vec<_>>()) {
                Ok(expected) => expected.into(),
                Err(_) => value.into(),
            }
        }
        other => other.into(),
    }
}

#[cfg(test)]
mod tests {
    use plumbline_backend::{Identity, Job, Profile, Runner};
    use plumbline_tensor::{DType, Tensor};

    use super::*;
    use crate::cases::case_of_model;

    fn float() -> Value {
        Value::Tensor(Tensor::from_f64s(DType::Float, vec![1], &[1.0]).unwrap())
    }

    /// A backend that answers every case with the same value.
    struct Answers {
        identity: Identity,
        profile: Profile,
    }

    impl Runner for Answers {
        fn identity(&self) -> &Identity {
            &self.identity
        }
        fn profile(&self) -> &Profile {
            &self.profile
        }
        fn run(&mut self, _: &Model, _: &[Value], _: Duration) -> Observation {
            Observation::Outputs { values: vec![float()], seconds: 0.0 }
        }
        fn run_batch(&mut self, jobs: &[Job<'_>], deadline: Duration) -> Vec<Observation> {
            jobs.iter().map(|job| self.run(job.model, job.inputs, deadline)).collect()
        }
    }

    #[test]
    fn a_data_set_that_lacks_the_outputs_it_needs_is_not_run() {
        let open = || {
            let identity = Identity { name: "answers".to_owned(), version: "1".to_owned() };
            Ok(Box::new(Answers { identity, profile: Profile::default() }) as Box<dyn Runner>)
        };
        let backend = Subject::start("answers", Box::new(open)).unwrap();
        let verdict = |subject: &Subject, operator: &str, published: &[Value]| {
            let opsets = r#"<ir_version: 8, opset_import: ["" : 13, "elsewhere" : 1]>"#;
            let text = format!("{opsets} one (float[1] x) => (float[1] y) {{ y = {operator} (x) }}");
            let case = case_of_model("one".to_owned(), text.parse().unwrap(), vec![float()], None);
            let prepared = Prepared::alone(case);
            let deadline = Duration::from_secs(10);
            examine_set(subject, &prepared, published, deadline, Tolerance::default()).judgement.verdict
        };
        assert_eq!(verdict(&backend, "elsewhere.Strange", &[]), Verdict::NotRun);
        assert_eq!(verdict(&backend, "elsewhere.Strange", &[float()]), Verdict::Pass);
        assert_eq!(verdict(&backend, "Abs", &[]), Verdict::Pass);
        assert_eq!(verdict(&Subject::oracle(), "Abs", &[]), Verdict::NotRun);
        assert_eq!(verdict(&Subject::oracle(), "Abs", &[float()]), Verdict::Pass);
    }
}

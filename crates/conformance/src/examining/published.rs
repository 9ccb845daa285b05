//! Runs ONNX's published cases on a backend.
//!
//! If the oracle has an answer, the backend is judged by it. The `reference` backend stands for the oracle itself: for
//! it, the published outputs are judged instead. If the oracle has no kernel, other backends are judged by the
//! published outputs with the suite's own tolerance. If the outputs that are needed were not published, the case is not
//! run. If the oracle refuses a case as invalid, a backend passes if it also refuses the case.

use std::time::Duration;

use plumbline_backend::Observation;
use plumbline_generator::Case;
use plumbline_judge::{FailKind, Judgement, Reason, Right, Verdict};
use plumbline_oracle::Oracle;
use plumbline_tensor::{Model, Value};

use crate::cases::SuiteCase;
use crate::cases::suite::CaseFolder;
use crate::examining::examine::{conclude, examine_one};
use crate::examining::expected::{Given, Tolerance, expected};
use crate::examining::prepared::PreparedCase;
use crate::examining::repro::Failure;
use crate::examining::session_runs::Runs;
use crate::results::CaseResult;
use crate::subjects::{Role, Subject};

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
            let prepared = PreparedCase::alone(self.case(&folder.model, &set.inputs));
            examine_set(subject, &prepared, Given { outputs: &set.outputs, tolerance }, deadline)
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

/// Runs one data set of a published case and judges it. If the oracle refuses the case, and the backend answers it,
/// nothing says which answer is right, and the case is not judged.
fn examine_set(subject: &Subject, prepared: &PreparedCase, given: Given, deadline: Duration) -> Failure {
    let PreparedCase { case, .. } = prepared;
    let reference = Oracle::new(subject.policy.clone());
    if subject.role == Role::Oracle {
        return examine_oracle(subject, &reference, case, given.outputs, deadline);
    }
    let right = match expected(&reference, case, Some(given)) {
        Ok(right) => right,
        Err(reason) => {
            return observed(subject, &reference, case, Right::from(vec![]), Observation::NotRun { reason }, deadline);
        }
    };
    let failure = examine_one(subject, prepared, &right, deadline).failure;
    if failure.judgement.kind == Some(FailKind::AcceptsInvalid)
        && let Err(refusal) = reference.evaluate(&case.model, &case.inputs)
    {
        return Failure { judgement: Judgement::not_run(Reason::OracleRefuses(refusal)), ..failure };
    }
    failure
}

/// Judges an observation without running the case.
fn observed(
    subject: &Subject,
    reference: &Oracle,
    case: &Case,
    right: Right,
    observation: Observation,
    deadline: Duration,
) -> Failure {
    conclude(subject, &Runs::new(reference, case, &right, &[]), &[observation], None, deadline).failure
}

/// Judges the outputs of a folder by the oracle.
fn examine_oracle(
    subject: &Subject,
    reference: &Oracle,
    case: &Case,
    outputs: &[Value],
    deadline: Duration,
) -> Failure {
    let (right, observation) = match reference.evaluate(&case.model, &case.inputs) {
        Ok(_) if outputs.len() != case.model.output_names().len() => {
            (Right::from(vec![]), Observation::NotRun { reason: "the data set has no outputs to judge".to_owned() })
        }
        Ok(evaluation) => (evaluation.into(), Observation::Outputs { values: outputs.to_vec(), seconds: 0.0 }),
        Err(refusal) => (Right::from(vec![]), Observation::Refused { refusal, seconds: 0.0 }),
    };
    observed(subject, reference, case, right, observation, deadline)
}

/// Runs a case of a folder and judges it by what is [`expected`]. `prepare` gets the case once the expected outcome is
/// known. If the backend is the oracle itself, the outputs of the folder are judged.
///
/// # Errors
/// Fails if nothing says what is expected, or if the oracle answers a case that violates a constraint.
pub fn examine_folder(
    subject: &Subject,
    mut case: Case,
    outputs: &[Value],
    deadline: Duration,
    prepare: impl FnOnce(Case, &Right) -> PreparedCase,
) -> Result<(Failure, PreparedCase), String> {
    let reference = Oracle::new(subject.policy.clone());
    if subject.role == Role::Oracle {
        let prepared = PreparedCase::alone(case);
        return Ok((examine_oracle(subject, &reference, &prepared.case, outputs, deadline), prepared));
    }
    let right = expected(&reference, &case, Some(Given { outputs, tolerance: Tolerance::default() }))?;
    if let Right::Refusal(violation) | Right::ByRelease { violation, .. } = &right {
        case.violates = violation.label;
    }
    let prepared = prepare(case, &right);
    Ok((examine_one(subject, &prepared, &right, deadline).failure, prepared))
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
            let prepared = PreparedCase::alone(case);
            let deadline = Duration::from_secs(10);
            examine_set(subject, &prepared, Given { outputs: published, tolerance: Tolerance::default() }, deadline)
                .judgement
                .verdict
        };
        assert_eq!(verdict(&backend, "elsewhere.Strange", &[]), Verdict::NotRun);
        assert_eq!(verdict(&backend, "elsewhere.Strange", &[float()]), Verdict::Pass);
        assert_eq!(verdict(&backend, "Abs", &[]), Verdict::Pass);
        assert_eq!(verdict(&Subject::oracle(), "Abs", &[]), Verdict::NotRun);
        assert_eq!(verdict(&Subject::oracle(), "Abs", &[float()]), Verdict::Pass);
    }
}

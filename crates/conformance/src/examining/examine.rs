//! Examines a case: runs it on a backend, compares what the backend did with the expected outcome, and keeps what is
//! needed to repeat a failure. Runs, suites, minimization and replay all use this code.

use std::borrow::Cow;
use std::time::Duration;

use plumbline_backend::{Job, Observation};
use plumbline_judge::{Judgement, ReasonKind, Right, Verdict, error_ratios, explained};
use plumbline_oracle::Oracle;

use crate::cases::twin::Twin;
use crate::examining::packs::{InPack, Packing, is_right, observe, observe_twins};
use crate::examining::prepared::PreparedCase;
use crate::examining::refused::{is_a_refusal, weigh_excuse, weigh_refusal};
use crate::examining::repro::Failure;
use crate::examining::session_runs::{Objection, Runs};
use crate::subjects::Subject;

/// The result of running and judging a case on a backend.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The case as the backend got it, the expected outcome, what the backend did, and the judgement. If a further run
    /// of the session failed, and the case of this run also fails in a session of its own, the failure has that case.
    pub failure: Failure,
    /// Whether the backend refused an invalid case, or one that a rule lets it refuse, and does not answer its twin
    /// either, so that the refusal does not count.
    pub unjudged: bool,
    /// What the backend did in a pack, if that is the failure.
    pub(crate) in_pack: Option<InPack>,
}

impl Finding {
    /// Returns the judgement.
    pub fn judgement(&self) -> &Judgement {
        &self.failure.judgement
    }
}

/// Runs cases on a backend and judges what it does, one finding for each case in the same order. If an invalid case, or
/// one that a rule lets backends refuse, has a twin, a refusal of the case counts only if the backend answers the twin.
/// Each run may take as long as the deadline allows.
pub fn examine(subject: &Subject, asked: &[(&PreparedCase, &Right)], deadline: Duration) -> Vec<Finding> {
    let alone = Packing { size: 1, may_pack: &|_| false, stopped: &|| false };
    examine_in_packs(subject, asked, &alone, deadline).unwrap_or_default()
}

/// Does the same with some of the cases in packs. A case whose answer in a pack is not right runs alone, and what is
/// found then is its finding, unless nothing is. Returns `None` if the run should stop.
pub(crate) fn examine_in_packs(
    subject: &Subject,
    asked: &[(&PreparedCase, &Right)],
    packing: &Packing,
    deadline: Duration,
) -> Option<Vec<Finding>> {
    let reference = Oracle::new(subject.policy.clone());
    let prepared: Vec<PreparedCase> = match subject.profile.constant_inputs.is_empty() {
        true => vec![],
        false => asked.iter().map(|(prepared, _)| prepared.for_profile(&subject.profile)).collect(),
    };
    let prepared = |at: usize| prepared.get(at).unwrap_or(asked[at].0);
    let runs = asked.iter().enumerate().map(|(at, (_, right))| {
        let PreparedCase { case, further, .. } = prepared(at);
        let runs = Runs::new(&reference, case, right, if subject.runs_again { further } else { &[] });
        if subject.profile.concurrent_runs { runs.and_at_once() } else { runs }
    });
    let runs: Vec<Runs> = runs.collect();
    let observed = observe(subject, &runs, packing, deadline)?;
    let refused = (0..runs.len()).filter(|&at| observed[at].observations.first().is_some_and(is_a_refusal));
    let twin = |at: usize| match asked[at].1 {
        Right::Outputs { refusable: Some(_), .. } => {
            let twin = prepared(at).settled(&subject.policy)?;
            let constant = subject.profile.constant_inputs.get(&asked[at].0.case.version.qualified_name());
            Some(Cow::Owned(
                constant.map_or_else(|| twin.clone(), |names| twin.with_constants(&asked[at].0.case, names)),
            ))
        }
        _ => prepared(at).twin.as_ref().map(Cow::Borrowed),
    };
    let twins: Vec<(usize, Cow<Twin>)> = refused.filter_map(|at| Some((at, twin(at)?))).collect();
    let answers = observe_twins(subject, &twins, packing, deadline)?;
    let mut twins = twins.iter().zip(&answers).peekable();
    let concluded = runs.iter().zip(observed).enumerate().map(|(at, (case, observed))| {
        let twin = twins.next_if(|((of, _), _)| *of == at).map(|((_, twin), answer)| (twin.as_ref(), answer));
        let finding = conclude(subject, case, &observed.observations, twin, deadline);
        match observed.in_pack {
            Some(in_pack) if is_right(finding.judgement()) => {
                let failure = in_pack.failure(&runs, finding.failure.backend);
                Finding { failure, unjudged: false, in_pack: Some(in_pack) }
            }
            _ => finding,
        }
    });
    Some(concluded.collect())
}

/// Runs a single case on a backend and judges what it does.
pub fn examine_one(subject: &Subject, prepared: &PreparedCase, right: &Right, deadline: Duration) -> Finding {
    examine(subject, &[(prepared, right)], deadline).pop().expect("there is a finding for each case")
}

/// Returns whether the case is valid, and the backend claims to support it.
fn claimed(subject: &Subject, runs: &Runs) -> bool {
    let claims = subject.claims.as_ref().is_some_and(|claims| claims.takes_case(runs.case));
    claims && matches!(runs.right, Right::Outputs { .. })
}

/// Judges a case by the observations of its runs, and by the observation of its twin if the twin was run too.
pub(crate) fn conclude(
    subject: &Subject,
    runs: &Runs,
    observed: &[Observation],
    twin: Option<(&Twin, &Observation)>,
    deadline: Duration,
) -> Finding {
    let fresh = |jobs: &[Job]| subject.run(jobs, deadline);
    let may_vary = subject.profile.nondeterministic;
    let Objection { mut judgement, alone } = runs.judge(observed, may_vary, fresh);
    let mut unjudged = false;
    if let Some((twin, answer)) = twin {
        judgement = match (runs.right, observed.first()) {
            (Right::Outputs { .. }, Some(Observation::Refused { refusal, .. })) => {
                weigh_excuse(judgement, refusal, twin, answer)
            }
            _ => weigh_refusal(judgement, twin, answer),
        };
        unjudged = judgement.reason.kind() == Some(ReasonKind::TwinNotAnswered);
    }
    if judgement.verdict == Verdict::Unsupported && !unjudged && claimed(subject, runs) {
        judgement = judgement.of_claimed(&runs.case.version);
    }
    let further = if alone.is_some() { vec![] } else { runs.further.to_vec() };
    let (case, right, observation) = alone.unwrap_or_else(|| {
        let none = || Observation::NotRun { reason: "the backend gave no observation".to_owned() };
        (runs.case.clone(), runs.right.clone(), observed.first().cloned().unwrap_or_else(none))
    });
    let reference = Oracle::new(subject.policy.clone());
    let asked = (&case.model, &case.inputs[..]);
    judgement = explained(judgement, &reference, asked, &right, &observation);
    let ratios = error_ratios(&judgement, &reference, asked, &right, &observation);
    judgement.error_ratio = ratios.into_iter().flatten().reduce(f64::max);
    let backend = subject.name.clone();
    let failure = Failure { case, right, observation, judgement, further, backend, optimizer: None };
    Finding { failure, unjudged, in_pack: None }
}

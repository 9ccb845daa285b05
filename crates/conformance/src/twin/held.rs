//! Holds the refusals of negative cases against what the backend does with their twins.

use std::collections::BTreeMap;
use std::time::Duration;

use plumbline_executor::{Job, Observation, Profile, RefusalKind};
use plumbline_generator::Case;

use super::Twin;
use crate::judge::{Judgement, normal};
use crate::{Subject, Verdict};

/// The twins of the negative cases of one piece of work: each is searched when the first backend refuses its case.
pub struct Twins<'a> {
    cases: &'a [Case],
    found: BTreeMap<usize, Option<Twin>>,
}

impl<'a> Twins<'a> {
    /// No twin has been searched yet.
    pub fn of(cases: &'a [Case]) -> Twins<'a> {
        Twins { cases, found: BTreeMap::new() }
    }

    /// Runs the twins of the cases that the backend refuses, and says what it did with each: place of the case, twin, observation. `observed` is
    /// what the backend did with the cases, by place; a piece of work holds either valid cases, of which there is no twin, or negative ones.
    pub fn run(
        &mut self,
        subject: &Subject,
        observed: &BTreeMap<usize, &Observation>,
        deadline: Duration,
    ) -> BTreeMap<usize, (&Twin, Observation)> {
        let refused = observed.iter().filter(|(at, observation)| **at < self.cases.len() && is_a_refusal(observation));
        let refused: Vec<usize> = refused.map(|(&at, _)| at).collect();
        for &at in &refused {
            self.found.entry(at).or_insert_with(|| Twin::of(&self.cases[at]));
        }
        let twins: Vec<(usize, &Twin)> =
            refused.iter().filter_map(|at| Some((*at, self.found.get(at)?.as_ref()?))).collect();
        if twins.is_empty() {
            return BTreeMap::new();
        }
        let posed: Vec<Case> =
            twins.iter().map(|(at, twin)| posed_twin(&subject.profile, &self.cases[*at], twin)).collect();
        let jobs: Vec<Job> = posed.iter().map(|case| Job::new(&case.model, &case.inputs)).collect();
        let observed = subject.run(&jobs, deadline);
        twins.into_iter().zip(observed).map(|((at, twin), observation)| (at, (twin, observation))).collect()
    }
}

/// The twin as the backend gets its case: with the same inputs as constants.
pub fn posed_twin(profile: &Profile, case: &Case, twin: &Twin) -> Case {
    let twin = Case { model: twin.model.clone(), inputs: twin.inputs.clone(), ..case.clone() };
    match profile.constant_inputs.get(&case.version.name) {
        Some(names) => twin.with_constants(names),
        None => twin,
    }
}

/// Whether a negative case would pass by this.
fn is_a_refusal(observation: &Observation) -> bool {
    matches!(observation, Observation::Refused { refusal, .. }
        if !matches!(refusal.kind, RefusalKind::Unsupported | RefusalKind::DeviceLost))
}

/// What is said of a refused negative case beside its twin: a pass where the twin was answered, whatever the answer, as wrong values are the
/// business of positive cases; unsupported where it was not, because then it is not the violation that the backend refuses.
pub fn beside(judgement: Judgement, twin: &Twin, observation: &Observation) -> Judgement {
    if judgement.verdict != Verdict::Pass {
        return judgement;
    }
    let reason = match observation {
        Observation::Outputs { .. } => {
            let detail = judgement.detail.unwrap_or_default();
            return Judgement { detail: Some(format!("{detail} (it answers with {})", twin.change)), ..judgement };
        }
        Observation::Refused { refusal, .. } => format!("is refused too: {refusal}"),
        Observation::Crash { detail } => format!("makes it crash: {detail}"),
        Observation::Timeout { after } => format!("has no answer within {} s", after.as_secs_f64()),
        Observation::Garbage { detail } => format!("gets no proper answer: {detail}"),
        Observation::NotRun { reason } => format!("was not run: {reason}"),
    };
    let detail = format!("the case next to it that is valid ({}) {reason}", twin.change);
    Judgement { verdict: Verdict::Unsupported, class: normal(&reason), detail: Some(detail), ..judgement }
}

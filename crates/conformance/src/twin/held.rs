//! Checks the refusals of negative cases by what the backend does with their twins.

use std::collections::BTreeMap;
use std::time::Duration;

use plumbline_backend::{Job, Observation, Profile};
use plumbline_generator::{Case, OutputShape};
use plumbline_graph::RefusalKind;
use plumbline_oracle::{Operand, Reference};
use plumbline_tensor::onnx::{TensorShapeProto, TensorShapeProtoDimension, TypeProtoValue, ValueInfoProto};

use super::Twin;
use crate::judge::{Judgement, Right, normal};
use crate::posed::output_shapes;
use crate::{Subject, Verdict};

/// The twins of the negative cases of one piece of work. Each twin is searched for on first use.
pub struct Twins<'a> {
    cases: &'a [Case],
    found: BTreeMap<usize, Option<Twin>>,
}

impl<'a> Twins<'a> {
    /// Creates the collection without searching for any twin.
    pub fn of(cases: &'a [Case]) -> Twins<'a> {
        Twins { cases, found: BTreeMap::new() }
    }

    /// Returns the shapes that the case at this place declares for its outputs. An invalid case has no answer, so it
    /// declares the ranks of its twin's outputs, without extents.
    pub fn output_shapes(&mut self, at: usize, right: Option<&Right>) -> Vec<Option<OutputShape>> {
        let (Some(Right::Refusal(_)), Some(case)) = (right, self.cases.get(at)) else {
            return right.map_or(vec![], output_shapes);
        };
        let twin = self.found.entry(at).or_insert_with(|| Twin::of(case));
        twin.as_ref().map_or(vec![], |twin| twin.output_shapes(case))
    }

    /// Runs the twins of the cases that the backend refused, and returns the twin and its observation by the place of
    /// the case. `observed` holds what the backend did with the cases, by place. A piece of work holds either valid
    /// cases, which have no twins, or negative ones.
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

impl Twin {
    /// Declares the ranks of the twin's outputs, as ONNX requires.
    pub(super) fn with_ranks(mut self, reference: &Reference) -> Twin {
        let answer = reference.answer(&self.model, &self.inputs).unwrap_or_default();
        for (output, operand) in self.model.proto.graph.iter_mut().flat_map(|graph| &mut graph.output).zip(&answer) {
            if let (Operand::Tensor(expected), Some(TypeProtoValue::TensorType(tensor))) =
                (operand, output.r#type.as_mut().and_then(|type_| type_.value.as_mut()))
            {
                let dim = vec![TensorShapeProtoDimension::default(); expected.rank()];
                tensor.shape.get_or_insert(TensorShapeProto { dim });
            }
        }
        self
    }

    /// Returns shapes for the outputs of `case`: ranks without extents. An output that the twin also has gets the
    /// twin's rank. For any other output the rank is unknown, but ONNX requires one, so it gets the rank of the twin's
    /// first tensor.
    pub fn output_shapes(&self, case: &Case) -> Vec<Option<OutputShape>> {
        let own = &self.model.graph().output;
        let rank = |output: &ValueInfoProto| match output.r#type.as_ref()?.value.as_ref()? {
            TypeProtoValue::TensorType(tensor) => Some(tensor.shape.as_ref()?.dim.len()),
            _ => None,
        };
        let first = own.iter().find_map(rank).unwrap_or(1);
        let of_twin =
            |output: &ValueInfoProto| own.iter().find(|own| own.name == output.name).and_then(rank).unwrap_or(first);
        case.model.graph().output.iter().map(|output| Some(vec![None; of_twin(output)])).collect()
    }
}

/// Returns the twin in the form in which the backend gets its case: with the same inputs as constants.
pub fn posed_twin(profile: &Profile, case: &Case, twin: &Twin) -> Case {
    let twin = Case { model: twin.model.clone(), inputs: twin.inputs.clone(), ..case.clone() };
    match profile.constant_inputs.get(&case.version.name) {
        Some(names) => twin.with_constants(names),
        None => twin,
    }
}

/// Returns whether a negative case passes by this observation.
fn is_a_refusal(observation: &Observation) -> bool {
    matches!(observation, Observation::Refused { refusal, .. }
        if !matches!(refusal.kind, RefusalKind::Unsupported | RefusalKind::DeviceLost))
}

/// Returns the judgement of a refused negative case in view of its twin. If the backend answered the twin, the refusal
/// is a pass, whatever the answer was: wrong values are the concern of positive cases. Otherwise the case is
/// unsupported, because the backend did not refuse it for its violation.
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

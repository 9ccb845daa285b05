//! Checks the refusals of negative cases by what the backend does with their twins.

use plumbline_backend::Observation;
use plumbline_generator::{Case, OutputShape};
use plumbline_graph::{Refusal, RefusalKind};
use plumbline_oracle::{Operand, Oracle};
use plumbline_tensor::onnx::{TensorShapeProto, TensorShapeProtoDimension, TypeProtoValue, ValueInfoProto};

use super::Twin;
use crate::judge::{Judgement, message};
use crate::{CaseResult, FailKind, Reason, ReasonKind, Verdict};

impl Twin {
    /// Returns the twin of a case that random changes made invalid. `base` is the valid case before these changes.
    pub(crate) fn base(base: Case) -> Twin {
        let twin = Twin {
            id: base.id.clone(),
            change: format!("everything as in {}", base.id),
            changes: None,
            distance: None,
            model: base.model,
            inputs: base.inputs,
        };
        twin.with_ranks(&Oracle::default())
    }

    /// Declares a rank for each output of the twin that declares no shape, because ONNX requires a rank.
    pub(super) fn with_ranks(mut self, reference: &Oracle) -> Twin {
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

    /// Returns the twin as a case, with the id of the invalid case.
    pub fn in_case(&self, case: &Case) -> Case {
        Case { model: self.model.clone(), inputs: self.inputs.clone(), ..case.clone() }
    }

    /// Returns the twin with the inputs of these names as initializers. `case` is the case that it is the twin of.
    pub(crate) fn with_constants(&self, case: &Case, names: &[String]) -> Twin {
        let Case { model, inputs, .. } = self.in_case(case).with_constants(names);
        Twin { model, inputs, ..self.clone() }
    }

    /// Returns shapes for the outputs of `case`: ranks without extents. An output that the twin also has gets the
    /// twin's rank. For any other output the rank is unknown, but ONNX requires one, so it gets the rank of the twin's
    /// first tensor, or 1.
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

/// Returns whether a refusal did not count because of the case's twin.
pub(crate) fn is_unjudged(result: &CaseResult) -> bool {
    result.verdict == Verdict::Unsupported && result.reason == Some(ReasonKind::TwinNotAnswered)
}

/// Returns whether a negative case passes with this observation, unless its twin shows otherwise.
pub(crate) fn is_a_refusal(observation: &Observation) -> bool {
    matches!(observation, Observation::Refused { refusal, .. }
        if !matches!(refusal.kind, RefusalKind::Unsupported | RefusalKind::DeviceLost))
}

/// Returns the judgement of a refused valid case in view of its settled twin. `judgement` is latitude, because a rule
/// lists a refusal. If the backend refuses the twin in the same words, although no rule lets it, it did not refuse the
/// case because of the rule.
pub(crate) fn weigh_excuse(judgement: Judgement, refused: &Refusal, twin: &Twin, answer: &Observation) -> Judgement {
    match answer {
        _ if judgement.verdict != Verdict::Latitude => judgement,
        Observation::Refused { refusal, .. } if message::is_alike(refused, refusal) => {
            let (text, change) = (refused.to_string(), twin.change.clone());
            let class = message::class(&text);
            let reason = Reason::NotExcused { change, found: Box::new(text.into()) };
            Judgement::fail(FailKind::RejectsValid, class, reason, judgement.seconds)
        }
        _ => judgement,
    }
}

/// Returns the judgement of a refused negative case in view of its twin. If the backend answered the twin, the refusal
/// is a pass, whatever the answer was: wrong values are the concern of positive cases. Otherwise the case is
/// unsupported, because nothing shows that the backend refused it for its violation.
pub(crate) fn weigh_refusal(judgement: Judgement, twin: &Twin, observation: &Observation) -> Judgement {
    if judgement.verdict != Verdict::Pass {
        return judgement;
    }
    let change = twin.change.clone();
    let found = match observation {
        Observation::Outputs { .. } => return judgement.because(|found| Reason::TwinAnswered { change, found }),
        Observation::Refused { refusal, .. } => format!("is refused too: {refusal}"),
        Observation::Crash { detail } => format!("makes the backend crash: {detail}"),
        Observation::Timeout { after } => format!("has no answer within {} s", after.as_secs_f64()),
        Observation::Garbage { detail, .. } => format!("gets an unusable reply: {detail}"),
        Observation::NotRun { reason } => format!("was not run: {reason}"),
    };
    let reason = Reason::TwinNotAnswered { change, found: Box::new(found.into()) };
    Judgement { verdict: Verdict::Unsupported, class: String::new(), reason, ..judgement }
}

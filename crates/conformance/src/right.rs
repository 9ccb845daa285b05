//! The expected outcome of a case: what the oracle says that a backend has to do.

use plumbline_generator::{Case, OutputShape};
use plumbline_graph::RefusalKind;
use plumbline_oracle::{Alternative, Evaluation, NamedRule, OpenRule, Operand, Oracle};
use plumbline_spec::{DEFAULT_ACCURACY, Label};

/// The expected outcome of a case.
#[derive(Clone, Debug)]
pub enum Right {
    /// The backend has to answer with these outputs, or with others that are accepted in their place.
    Outputs {
        /// One for each output of the model.
        operands: Vec<Operand>,
        /// Other answers that a rule allows for the outputs as a whole. The answer by the text of the backend's release
        /// of ONNX is one of them.
        others: Vec<Alternative>,
        /// The rule that allows a refusal of this valid case, if there is one.
        refusable: Option<NamedRule>,
        /// The rules that left something open.
        open: Vec<OpenRule>,
        /// The accuracy table that the intervals come from, in words (see [`Evaluation::accuracy`]).
        accuracy: String,
    },
    /// The backend has to refuse the case, because it is invalid: it violates this constraint or, for `None`, a rule
    /// that holds for every operator.
    Refusal(Option<Label>),
    /// The case is invalid by the newest text of ONNX, as with [`Right::Refusal`], but not by the text of the release
    /// that the backend implements. The backend may refuse it, or do what the older text says.
    ByRelease {
        /// The constraint of the newest text.
        label: Option<Label>,
        /// The rule on which the texts differ, with the release.
        rule: NamedRule,
        /// The expected outcome by the older text.
        right: Box<Right>,
    },
    /// Nothing says what is right, so only a crash, a hang or an unusable answer is wrong.
    Open {
        /// The rule that leaves the case open, if it has a name.
        label: Option<Label>,
        /// Why the oracle has no answer.
        reason: String,
    },
}

impl From<Evaluation> for Right {
    fn from(evaluation: Evaluation) -> Right {
        let refusable = evaluation.refusable();
        let Evaluation { outputs: operands, others, open, accuracy, .. } = evaluation;
        Right::Outputs { operands, others, refusable, open, accuracy }
    }
}

impl From<Vec<Operand>> for Right {
    fn from(operands: Vec<Operand>) -> Right {
        let accuracy = DEFAULT_ACCURACY.to_owned();
        Right::Outputs { operands, others: vec![], refusable: None, open: vec![], accuracy }
    }
}

/// Returns the shapes of the expected outputs as far as they are certain. An extent is missing where a rule allows
/// another answer with another extent; a whole shape is missing where the output is not a tensor.
pub fn output_shapes(right: &Right) -> Vec<Option<OutputShape>> {
    let Right::Outputs { operands, others, .. } = right else { return vec![] };
    let shape = |operand: &Operand| match operand {
        Operand::Tensor(expected) => Some(expected.shape().to_vec()),
        _ => None,
    };
    let certain = |(at, operand): (usize, &Operand)| {
        let right = shape(operand)?;
        let others: Vec<Vec<usize>> = others.iter().filter_map(|other| shape(other.outputs.get(at)?)).collect();
        let same = |d: &usize| others.iter().all(|other| other.get(*d) == right.get(*d));
        Some((0..right.len()).map(|d| Some(d).filter(same).map(|d| right[d])).collect())
    };
    operands.iter().enumerate().map(certain).collect()
}

/// Returns the expected outcome of a case that violates a constraint of the newest text.
fn invalid(reference: &Oracle, case: &Case, label: Option<Label>) -> Right {
    let Some((rule, answer)) = reference.evaluate_by_release(&case.model, &case.inputs) else {
        return Right::Refusal(label);
    };
    let right = match answer {
        Ok(evaluation) => evaluation.into(),
        Err(refusal) => Right::Open { label: refusal.label, reason: refusal.to_string() },
    };
    Right::ByRelease { label, rule, right: Box::new(right) }
}

/// Computes the expected outcome of a case. An error means that the oracle contradicts the generator, which is our own
/// mistake. A case that was changed at random gives no error: the generator does not say whether it is valid.
pub fn right(reference: &Oracle, case: &Case) -> Result<Right, String> {
    match (case.violates, reference.evaluate(&case.model, &case.inputs)) {
        (None, Err(refusal)) if !case.origin.changes().is_empty() => Ok(match refusal.kind {
            RefusalKind::Invalid => invalid(reference, case, refusal.label),
            _ => Right::Open { label: refusal.label, reason: refusal.to_string() },
        }),
        (None, Ok(evaluation)) => Ok(evaluation.into()),
        (None, Err(refusal)) => Err(format!("{}: the oracle refuses a valid case: {refusal}", case.id)),
        (Some(label), Err(refusal)) if refusal.label == Some(label) => Ok(invalid(reference, case, Some(label))),
        (Some(label), Err(refusal)) => Err(format!(
            "{}: the case violates {label}, but the oracle refuses it for another reason: {refusal}",
            case.id
        )),
        (Some(label), Ok(_)) => Err(format!("{}: the case violates {label}, but the oracle answers it", case.id)),
    }
}

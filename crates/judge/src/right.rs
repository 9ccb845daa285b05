//! The expected outcome of a case: what the oracle says that a backend has to do.

use plumbline_oracle::{Alternative, Evaluation, NamedRule, OpenRule, Operand};
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
    /// The backend has to refuse the case, because it is invalid.
    Refusal(Violation),
    /// The case is invalid by the newest text of ONNX, as with [`Right::Refusal`], but not by the text of the release
    /// that the backend implements. The backend may refuse it, or do what the older text says.
    ByRelease {
        /// What the case violates by the newest text.
        violation: Violation,
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

/// What an invalid case violates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The constraint; `None` for a rule that holds for every operator.
    pub label: Option<Label>,
    /// Whether the backend declares that it does not check constraints of this kind, so that it may answer the case.
    pub is_unchecked: bool,
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
pub fn output_shapes(right: &Right) -> Vec<Option<Vec<Option<usize>>>> {
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

//! Prepares a case for the backends: puts its model into the case's form, declares the outputs, and adds the further
//! runs of its session.

use plumbline_backend::Profile;
use plumbline_generator::{Case, OutputShape};
use plumbline_oracle::{Operand, Reference};

use crate::judge::Right;
use crate::rerun::{self, Further, Other};

/// Puts the case into its form and draws the further runs of its session. `shapes` holds the shapes that the model
/// declares for its outputs.
pub fn posed(case: Case, shapes: &[Option<OutputShape>]) -> (Case, Vec<Further>) {
    let drawn = case.clone();
    let formed = case.in_form(shapes);
    let further = rerun::further(&drawn, &formed);
    (formed, further)
}

/// Turns the inputs that the backend's profile lists under `constant_inputs` into initializers, in the case and in its
/// further runs.
pub fn constant_for(profile: &Profile, case: &Case, further: &[Further]) -> (Case, Vec<Further>) {
    let Some(names) = profile.constant_inputs.get(&case.version.name) else {
        return (case.clone(), further.to_vec());
    };
    let constant = case.clone().with_constants(names);
    if constant.inputs.len() == case.inputs.len() {
        return (constant, further.to_vec());
    }
    // Another draw may need other values in these inputs, but initializers cannot change within a session. So only runs
    // with the same inputs remain.
    let same = further.iter().filter(|run| run.other == Other::Nothing);
    let further = same.map(|run| Further { other: run.other, case: constant.clone() }).collect();
    (constant, further)
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
        let others: Vec<Vec<usize>> = others.iter().filter_map(|(_, other)| shape(other.get(at)?)).collect();
        let same = |d: &usize| others.iter().all(|other| other.get(*d) == right.get(*d));
        Some((0..right.len()).map(|d| Some(d).filter(same).map(|d| right[d])).collect())
    };
    operands.iter().enumerate().map(certain).collect()
}

/// Computes the expected outcome of a case. An error means that the oracle contradicts the generator, which is our own
/// mistake.
pub(crate) fn right(reference: &Reference, case: &Case) -> Result<Right, String> {
    match (case.violates, reference.evaluate(&case.model, &case.inputs)) {
        (None, Ok(evaluation)) => Ok(evaluation.into()),
        (None, Err(refusal)) => Err(format!("{}: the oracle refuses a valid case: {refusal}", case.id)),
        (Some(label), Err(refusal)) if refusal.label == Some(label) => Ok(Right::Refusal(Some(label))),
        (Some(label), Err(refusal)) => {
            Err(format!("{}: violates {label}, refused for another reason: {refusal}", case.id))
        }
        (Some(label), Ok(_)) => Err(format!("{}: violates {label}, and the oracle answers", case.id)),
    }
}

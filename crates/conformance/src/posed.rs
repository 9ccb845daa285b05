//! A case as backends get it: in its form, with its outputs declared, and with what its session is run again on.

use plumbline_backend::Profile;
use plumbline_generator::{Case, OutputShape};
use plumbline_oracle::{Operand, Reference};

use crate::judge::Right;
use crate::rerun::{self, Further, Other};

/// The case in its form, and what it is run again with.
pub fn posed(case: Case, shapes: &[Option<OutputShape>]) -> (Case, Vec<Further>) {
    let drawn = case.clone();
    let formed = case.in_form(shapes);
    let further = rerun::further(&drawn, &formed);
    (formed, further)
}

/// The same with those inputs as initializers that the backend takes in no other way.
pub fn constant_for(profile: &Profile, case: &Case, further: &[Further]) -> (Case, Vec<Further>) {
    let Some(names) = profile.constant_inputs.get(&case.version.name) else {
        return (case.clone(), further.to_vec());
    };
    let constant = case.clone().with_constants(names);
    if constant.inputs.len() == case.inputs.len() {
        return (constant, further.to_vec());
    }
    // Other inputs may need other constants, which a session cannot have.
    let same = further.iter().filter(|run| run.other == Other::Nothing);
    let further = same.map(|run| Further { other: run.other, case: constant.clone() }).collect();
    (constant, further)
}

/// The shapes of the outputs that are right, as far as they are certain: an extent is missing where a rule leaves another answer open that
/// has another one.
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

/// What is right for a case; an error is our own.
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

//! Prepares a case for the backends: puts its model into the case's form, declares the outputs, adds the further runs
//! of its session, and finds the valid case next to an invalid one.

use plumbline_backend::Profile;
use plumbline_generator::{Case, OutputShape};
use plumbline_oracle::{Operand, Reference};

use crate::judge::Right;
use crate::rerun::{self, Further, Other};
use crate::twin::Twin;

/// A case as backends get it.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The case in its form.
    pub case: Case,
    /// Further runs of the session that runs the case.
    pub further: Vec<Further>,
    /// The valid case next to it, if the case is invalid and one was found.
    pub twin: Option<Twin>,
}

impl Prepared {
    /// Puts a case into its form, draws the further runs of its session, and finds its twin. The form declares the
    /// shapes of the outputs, which come from the expected outcome.
    pub fn new(case: Case, right: Option<&Right>) -> Prepared {
        let twin = right.and_then(|_| Twin::find(&case));
        let shapes = match (right, &twin) {
            (Some(Right::Refusal(_)), Some(twin)) => twin.output_shapes(&case),
            (Some(right), _) => output_shapes(right),
            (None, _) => vec![],
        };
        let drawn = case.clone();
        let case = case.in_form(&shapes);
        Prepared { further: rerun::further(&drawn, &case), case, twin }
    }

    /// Takes a case as it is: without further runs and without a twin.
    pub fn alone(case: Case) -> Prepared {
        Prepared { case, further: vec![], twin: None }
    }

    /// Turns the inputs that the backend's profile lists under `constant_inputs` into initializers, in the case, in its
    /// further runs and in its twin.
    pub(crate) fn for_profile(&self, profile: &Profile) -> Prepared {
        let Some(names) = profile.constant_inputs.get(&self.case.version.name) else { return self.clone() };
        let twin = self.twin.as_ref().map(|twin| {
            let Case { model, inputs, .. } = twin.in_case(&self.case).with_constants(names);
            Twin { model, inputs, ..twin.clone() }
        });
        let case = self.case.clone().with_constants(names);
        if case.inputs.len() == self.case.inputs.len() {
            return Prepared { case, further: self.further.clone(), twin };
        }
        // Another draw may need other values in these inputs, but initializers cannot change within a session. So only
        // runs with the same inputs remain.
        let same = self.further.iter().filter(|run| run.other == Other::Nothing);
        let further = same.map(|run| Further { other: run.other, case: case.clone() }).collect();
        Prepared { case, further, twin }
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
        let others: Vec<Vec<usize>> = others.iter().filter_map(|(_, other)| shape(other.get(at)?)).collect();
        let same = |d: &usize| others.iter().all(|other| other.get(*d) == right.get(*d));
        Some((0..right.len()).map(|d| Some(d).filter(same).map(|d| right[d])).collect())
    };
    operands.iter().enumerate().map(certain).collect()
}

/// Computes the expected outcome of a case. An error means that the oracle contradicts the generator, which is our own
/// mistake.
pub fn right(reference: &Reference, case: &Case) -> Result<Right, String> {
    match (case.violates, reference.evaluate(&case.model, &case.inputs)) {
        (None, Ok(evaluation)) => Ok(evaluation.into()),
        (None, Err(refusal)) => Err(format!("{}: the oracle refuses a valid case: {refusal}", case.id)),
        (Some(label), Err(refusal)) if refusal.label == Some(label) => Ok(Right::Refusal(Some(label))),
        (Some(label), Err(refusal)) => Err(format!(
            "{}: the case violates {label}, but the oracle refuses it for another reason: {refusal}",
            case.id
        )),
        (Some(label), Ok(_)) => Err(format!("{}: the case violates {label}, but the oracle answers it", case.id)),
    }
}

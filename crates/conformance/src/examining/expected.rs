//! Computes the expected outcome of a case.

use plumbline_generator::Case;
use plumbline_graph::RefusalKind;
use plumbline_judge::Right;
use plumbline_oracle::Reference;
use plumbline_spec::Label;

/// Returns the expected outcome of a case that violates a constraint of the newest text.
fn invalid(reference: &Reference, case: &Case, label: Option<Label>) -> Right {
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
pub fn right(reference: &Reference, case: &Case) -> Result<Right, String> {
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

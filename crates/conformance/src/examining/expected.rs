//! Computes the expected outcome of a case.

use plumbline_generator::{Case, Origin};
use plumbline_graph::RefusalKind;
use plumbline_judge::{Right, Violation};
use plumbline_oracle::{Expected, Operand, Oracle, Real};
use plumbline_spec::{Label, Spec, Unchecked};
use plumbline_tensor::Value;

/// Returns whether the backend declares that it does not check a constraint of the case's operator: one that is seen only
/// in values, or one that the model shows.
fn is_unchecked(reference: &Oracle, case: &Case, label: Label) -> bool {
    let rules = || Spec::embedded().operator(&case.version.domain, &case.version.name)?.rules.as_ref();
    let is_in_values = rules().is_some_and(|rules| rules.is_seen_in_values(label.name()));
    reference.leaves_unchecked(if is_in_values { Unchecked::Values } else { Unchecked::Models })
}

/// Returns the expected outcome of a case that violates a constraint of the newest text.
fn invalid(reference: &Oracle, case: &Case, label: Option<Label>) -> Right {
    let violation = Violation { label, is_unchecked: label.is_some_and(|label| is_unchecked(reference, case, label)) };
    let Some((rule, answer)) = reference.evaluate_by_release(&case.model, &case.inputs) else {
        return Right::Refusal(violation);
    };
    let right = match answer {
        Ok(evaluation) => evaluation.into(),
        Err(refusal) => Right::Open { label: refusal.label, reason: refusal.to_string() },
    };
    Right::ByRelease { violation, rule, right: Box::new(right) }
}

/// The outputs that came with a case: those of a published case or of a folder.
#[derive(Clone, Copy)]
pub struct Given<'a> {
    /// One value for each output of the model, or none at all.
    pub outputs: &'a [Value],
    /// How far an answer may be from them, if the oracle has no answer.
    pub tolerance: Tolerance,
}

/// The tolerance of the published suite, which applies if the oracle has no answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// The relative tolerance.
    pub relative: f64,
    /// The absolute tolerance.
    pub absolute: f64,
}

impl Default for Tolerance {
    /// Returns the tolerance of ONNX's own test runner.
    fn default() -> Tolerance {
        Tolerance { relative: 1e-3, absolute: 1e-7 }
    }
}

/// Computes the expected outcome of a case that comes without outputs.
///
/// # Errors
/// See [`expected`].
pub fn right(reference: &Oracle, case: &Case) -> Result<Right, String> {
    expected(reference, case, None)
}

/// Computes the expected outcome of a case, wherever it comes from. The oracle decides, but a drawn or kept case also
/// says which constraint it violates, and the oracle has to refuse it for this one. A case of the suite `directml` that breaks
/// a rule is invalid by its origin, because the oracle knows nothing of descriptions. For a case that was changed at
/// random, or that somebody gave, only the oracle says whether it is valid. If it has no kernel for a case, the outputs
/// that came with the case are what is right.
///
/// # Errors
/// Fails if the oracle contradicts the origin of the case, which is our own mistake, or if nothing says what is right
/// for a given case.
pub fn expected(reference: &Oracle, case: &Case, given: Option<Given>) -> Result<Right, String> {
    let id = &case.id;
    if case.origin.broken().is_some() {
        return Ok(Right::Refusal(Violation { label: None, is_unchecked: false }));
    }
    let refusal = match (case.violates, reference.evaluate(&case.model, &case.inputs)) {
        (None, Ok(evaluation)) => return Ok(evaluation.into()),
        (Some(label), Ok(_)) => return Err(format!("{id}: the case violates {label}, but the oracle answers it")),
        (_, Err(refusal)) => refusal,
    };
    // A graph is valid as it was drawn, but what a backend's profile declares may make a value uncertain that a shape
    // depends on.
    let is_uncertain = matches!(case.origin, Origin::Graph { .. }) && refusal.kind != RefusalKind::Invalid;
    let is_mutated = matches!(case.origin, Origin::Mutated { .. });
    let is_invalid = refusal.kind == RefusalKind::Invalid;
    let outputs =
        given.filter(|given| !given.outputs.is_empty() && given.outputs.len() == case.model.output_names().len());
    match (case.violates, outputs) {
        (Some(label), _) if refusal.label == Some(label) => Ok(invalid(reference, case, Some(label))),
        _ if is_invalid && (is_mutated || given.is_some()) => Ok(invalid(reference, case, refusal.label)),
        (None, _) if is_mutated || is_uncertain => {
            Ok(Right::Open { label: refusal.label, reason: refusal.to_string() })
        }
        (_, Some(Given { outputs, tolerance })) if refusal.kind == RefusalKind::Unsupported => {
            Ok(Right::from(outputs.iter().map(|value| within(value, tolerance)).collect::<Vec<_>>()))
        }
        _ if given.is_some() => Err(format!("{id}: the oracle has no answer: {refusal}")),
        (None, _) => Err(format!("{id}: the oracle refuses a valid case: {refusal}")),
        (Some(label), _) => {
            Err(format!("{id}: the case violates {label}, but the oracle refuses it for another reason: {refusal}"))
        }
    }
}

/// Returns what is accepted for a published value: the suite's tolerance around each element of a floating-point
/// tensor, and only the value itself for any other type.
fn within(value: &Value, tolerance: Tolerance) -> Operand {
    match value {
        Value::Tensor(tensor) if tensor.dtype().is_float() => {
            let dtype = tensor.dtype();
            let numbers = tensor.to_f64s().into_iter().map(|x| {
                let reach = if x.is_finite() { tolerance.absolute + tolerance.relative * x.abs() } else { 0.0 };
                let real = Real::constant(x, dtype);
                Real { low: x - reach, high: x + reach, ..real }.into()
            });
            match Expected::from_numbers(dtype, tensor.shape().to_vec(), numbers.collect::<Vec<_>>()) {
                Ok(expected) => expected.into(),
                Err(_) => value.into(),
            }
        }
        other => other.into(),
    }
}

//! Checks conditions on several elements of an answer together. Each element may be accepted by itself, and the answer is
//! wrong nevertheless.

use std::collections::BTreeSet;
use std::sync::Arc;

use plumbline_tensor::{Tensor, Value};

use super::expected::{Expected, Joint, Judged, Pairing};
use super::number::Allowed;
use super::operand::Operand;
use super::random::Objection;

/// Returns a reason to reject outputs that violate a condition on several elements.
pub fn disagreement(expected: &[Operand], values: &[Value]) -> Option<Objection> {
    let is_joint = |operand: &Operand| matches!(operand, Operand::Tensor(expected) if expected.joint.is_some());
    if !expected.iter().any(is_joint) {
        return None;
    }
    let tensors: Vec<(&Expected, &Tensor)> = expected
        .iter()
        .zip(values)
        .filter_map(|(operand, value)| match (operand, value) {
            (Operand::Tensor(expected), Value::Tensor(tensor)) => Some((expected.as_ref(), tensor)),
            _ => None,
        })
        .filter(|(expected, tensor)| expected.dtype() == tensor.dtype() && expected.shape() == tensor.shape())
        .collect();
    tensors.iter().find_map(|(expected, tensor)| match &expected.joint {
        Some(Joint::Indices(pairing)) => {
            let holds =
                |other: &Expected| matches!(&other.joint, Some(Joint::Elements(of)) if Arc::ptr_eq(of, pairing));
            let elements = tensors.iter().find(|(other, _)| holds(other)).map(|(_, elements)| *elements);
            wrong_pair(pairing, expected, tensor, elements)
        }
        Some(Joint::AddUp { error }) => wrong_sum(tensor, *error),
        Some(Joint::Elements(_)) | None => None,
    })
}

fn wrong_sum(tensor: &Tensor, error: f64) -> Option<Objection> {
    let row = *tensor.shape().last()?;
    let sums = tensor.to_f64s().chunks(row.max(1)).map(|row| row.iter().sum::<f64>()).collect::<Vec<_>>();
    let (at, sum) = sums.into_iter().enumerate().find(|(_, sum)| (sum - 1.0).abs() > error)?;
    let detail = format!("the elements of row {at} add up to {sum:?}, expected 1 within {error:?}");
    Some(Objection { class: "sum", detail })
}

/// Returns a reason to reject the indices and the elements, if those are given: an index names another element than
/// the one beside it, or the same element as another index.
fn wrong_pair(
    pairing: &Pairing,
    expected: &Expected,
    indices: &Tensor,
    elements: Option<&Tensor>,
) -> Option<Objection> {
    let mut taken = BTreeSet::new();
    for (at, &first) in pairing.first.iter().enumerate() {
        // Any index is accepted where no element is taken.
        if expected.latitude_at(at).is_some_and(|latitude| latitude.allowed == Allowed::Anything) {
            continue;
        }
        let index = indices.i128_at(at);
        // An index that names no element is wrong by its pairing.
        let named = usize::try_from(index).ok().and_then(|index| first.checked_add(index.checked_mul(pairing.step)?));
        let Some(named) = named.filter(|&named| named < pairing.source.len()) else { continue };
        if pairing.distinct && !taken.insert(named) {
            let detail = format!("element {at} of the indices is {index}, like another index of the same elements");
            return Some(Objection { class: "taken twice", detail });
        }
        if let Some(elements) = elements
            && pairing.source.judge_at(named, elements, at) == Judged::Wrong
        {
            let (is, names) = (elements.element_text(at), pairing.source.tensor.element_text(named));
            let detail = format!("element {at} is {is}, but its index {index} names the element {names}");
            return Some(Objection { class: "unpaired", detail });
        }
    }
    None
}

//! What the operators on sequences share: elements, positions, and tensors put side by side.

use plumbline_tensor::ValueKind;

use crate::prelude::*;

/// The elements of a sequence input, with their type.
pub fn sequence<'a>(call: &Call<'a>, input: &str) -> Result<(&'a ValueKind, &'a [Operand]), Refusal> {
    match call.operand(input)? {
        Operand::Sequence { element, items } => Ok((element, items)),
        other => Err(Refusal::failed(format!("input `{input}` is {}, not a sequence", other.kind()))),
    }
}

/// A sequence of these elements.
pub fn sequence_of(element: &ValueKind, items: Vec<Operand>) -> Answer {
    Ok(vec![Operand::Sequence { element: element.clone(), items }])
}

/// The input `position`, where it is given: one element (`scalar` is the constraint), counted from the back where it is negative, below `count`
/// (`range` is the constraint).
pub fn position(call: &Call, count: usize, range: Label, scalar: Label) -> Result<Option<usize>, Refusal> {
    let Some(position) = call.optional_tensor("position")? else { return Ok(None) };
    if position.rank() > 1 || position.len() != 1 {
        return Err(Refusal::violates(scalar, format!("`position` has shape {:?}", position.shape())));
    }
    Ok(Some(shape::index_within(call.ints("position")?[0], count, range)?))
}

/// Tensors of one shape and type side by side along a new axis; `axis` is at most their rank.
pub fn stacked(items: &[&Expected], axis: usize) -> Result<Expected, Refusal> {
    let Some(first) = items.first() else { return Err(Refusal::failed("nothing to stack")) };
    let mut shape = first.shape().to_vec();
    shape.insert(axis, items.len());
    shape::affordable(&shape)?;
    let (_, extent, inner) = shape::around(&shape, axis);
    Expected::assembled(shape, items, |i| {
        let (outer, rest) = (i / (extent * inner), i % (extent * inner));
        (rest / inner, outer * inner + rest % inner)
    })
}

/// The part of a tensor at one index of an axis, without that axis.
pub fn taken(tensor: &Expected, axis: usize, index: usize) -> Result<Expected, Refusal> {
    let (_, extent, inner) = shape::around(tensor.shape(), axis);
    let mut shape = tensor.shape().to_vec();
    shape.remove(axis);
    tensor.rearranged(shape, |i| (i / inner * extent + index) * inner + i % inner)
}

//! Shared parts of the operators on sequences: elements, positions, and stacked tensors.

use plumbline_tensor::ValueKind;

use crate::prelude::*;

/// Returns the type and the elements of a sequence input.
pub fn sequence<'a>(call: &Call<'a>, input: &str) -> Result<(&'a ValueKind, &'a [Operand]), Refusal> {
    match call.operand(input)? {
        Operand::Sequence { element, items } => Ok((element, items)),
        other => Err(Refusal::failed(format!("input `{input}` is {}, expected a sequence", other.kind()))),
    }
}

/// Returns an answer that is a sequence of these elements.
pub fn sequence_of(element: &ValueKind, items: Vec<Operand>) -> Answer {
    Ok(vec![Operand::Sequence { element: element.clone(), items }])
}

/// Returns the input `position`, if it is given. Its shape is `[]` or `[1]` (`scalar` names this rule). A negative
/// position counts from the back, and the position is in the range of `count` elements (`range` names this rule).
pub fn position(call: &Call, count: usize, range: Label, scalar: Label) -> Result<Option<usize>, Refusal> {
    given_position(call, scalar)?.map(|position| shape::index_within(position, count, range)).transpose()
}

/// Returns the element of the input `position`, if the input is given. Its shape is `[]` or `[1]` (`scalar` names this
/// rule). A backend may refuse `[1]` (`scalar-rank`).
pub fn given_position(call: &Call, scalar: Label) -> Result<Option<i64>, Refusal> {
    let Some(position) = call.optional_tensor("position")? else { return Ok(None) };
    if position.rank() > 1 || position.len() != 1 {
        return Err(Refusal::violates(
            scalar,
            format!("`position` has shape {:?}, expected [] or [1]", position.shape()),
        ));
    }
    if position.rank() == 1 {
        call.leaves_open(rule::SCALAR_RANK);
    }
    Ok(call.ints("position")?.first().copied())
}

/// Stacks tensors of one shape and element type along a new axis. `axis` is at most their rank.
pub fn stacked(items: &[&Expected], axis: usize) -> Result<Expected, Refusal> {
    let Some(first) = items.first() else { return Err(Refusal::failed("no tensors are given to stack")) };
    let mut shape = first.shape().to_vec();
    shape.insert(axis, items.len());
    shape::affordable(&shape)?;
    let (_, extent, inner) = shape::around(&shape, axis);
    Expected::assembled(shape, items, |i| {
        let (outer, rest) = (i / (extent * inner), i % (extent * inner));
        (rest / inner, outer * inner + rest % inner)
    })
}

/// Joins tensors of one element type along an axis. They have the same rank and, except along the axis, the same
/// extents (`other-extents-equal`).
pub fn joined(items: &[&Expected], axis: usize) -> Result<Expected, Refusal> {
    let Some(first) = items.first() else { return Err(Refusal::failed("no tensors are given to join")) };
    let mut shape = first.shape().to_vec();
    shape[axis] = 0;
    // The place along the axis at which each tensor begins.
    let mut starts = Vec::with_capacity(items.len());
    for item in items {
        let fits = item.rank() == shape.len() && (0..shape.len()).all(|d| d == axis || item.extent(d) == shape[d]);
        if !fits {
            return Err(Refusal::violates(
                rule::OTHER_EXTENTS_EQUAL,
                format!(
                    "shapes {:?} and {:?} differ in rank or on an axis other than `axis`",
                    first.shape(),
                    item.shape()
                ),
            ));
        }
        starts.push(shape[axis]);
        shape[axis] = shape[axis].saturating_add(item.extent(axis));
    }
    shape::affordable(&shape)?;
    let (_, extent, inner) = shape::around(&shape, axis);
    Expected::assembled(shape, items, |i| {
        let (outer, at, rest) = (i / (extent * inner), i / inner % extent, i % inner);
        // Of tensors that begin at the same place, all but the last one are empty.
        let which = starts.partition_point(|&start| start <= at) - 1;
        (which, (outer * items[which].extent(axis) + at - starts[which]) * inner + rest)
    })
}

/// Returns the part of a tensor at one index of an axis, without that axis.
pub fn taken(tensor: &Expected, axis: usize, index: usize) -> Result<Expected, Refusal> {
    let (_, extent, inner) = shape::around(tensor.shape(), axis);
    let mut shape = tensor.shape().to_vec();
    shape.remove(axis);
    tensor.rearranged(shape, |i| (i / inner * extent + index) * inner + i % inner)
}

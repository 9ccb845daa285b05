use crate::families::sequence::{joined, sequence, stacked};
use crate::prelude::*;

/// Joins the tensors of a sequence along an axis, which `new_axis` may create.
///
/// The only version is 11. The axis is in the range of the result's rank (`axis-in-range`). With `new_axis`, all shapes
/// are equal; without it, they may differ along the axis (`other-extents-equal`). Values of `new_axis` other than 0 and
/// 1: `other-flag-values`. An empty sequence determines no output shape: `empty-sequence`.
pub fn concat_from_sequence(call: &Call) -> Answer {
    let (_, items) = sequence(call, "input_sequence")?;
    let tensors = items.iter().map(Operand::tensor).collect::<Result<Vec<_>, _>>()?;
    let new_axis = call.flag("new_axis");
    let Some(first) = tensors.first() else {
        return Err(Refusal::leaves_open(rule::EMPTY_SEQUENCE, "the sequence is empty"));
    };
    let axis = call.axis(call.int("axis")?, first.rank() + usize::from(new_axis), rule::AXIS_IN_RANGE)?;
    if !new_axis {
        return one(joined(&tensors, axis)?);
    }
    match tensors.iter().find(|t| t.shape() != first.shape()) {
        Some(other) => Err(Refusal::violates(
            rule::OTHER_EXTENTS_EQUAL,
            format!("shapes {:?} and {:?} differ", first.shape(), other.shape()),
        )),
        None => one(stacked(&tensors, axis)?),
    }
}

use crate::families::sequence::{sequence, stacked};
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
    let mut shape = first.shape().to_vec();
    if new_axis {
        return match tensors.iter().find(|t| t.shape() != shape) {
            Some(other) => Err(Refusal::violates(
                rule::OTHER_EXTENTS_EQUAL,
                format!("shapes {shape:?} and {:?} differ", other.shape()),
            )),
            None => one(stacked(&tensors, axis)?),
        };
    }
    shape[axis] = 0;
    for tensor in &tensors {
        let fits = tensor.rank() == shape.len() && (0..shape.len()).all(|d| d == axis || tensor.extent(d) == shape[d]);
        if !fits {
            return Err(Refusal::violates(
                rule::OTHER_EXTENTS_EQUAL,
                format!("shapes {:?} and {:?} differ on an axis other than `axis`", first.shape(), tensor.shape()),
            ));
        }
        shape[axis] = shape[axis].saturating_add(tensor.extent(axis));
    }
    shape::affordable(&shape)?;
    let extents = shape.clone();
    one(Expected::assembled(shape, &tensors, |i| {
        let mut at = shape::coordinates(i, &extents);
        let mut which = 0;
        while at[axis] >= tensors[which].extent(axis) {
            at[axis] -= tensors[which].extent(axis);
            which += 1;
        }
        (which, shape::index_of(&at, tensors[which].shape()))
    })?)
}

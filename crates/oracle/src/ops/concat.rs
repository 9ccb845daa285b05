use crate::families::sequence::joined;
use crate::prelude::*;

/// Joins the inputs along an axis.
///
/// In version 1, `axis` defaults to 1 (`default-axis`); from version 4 on it is required. From version 11 on it may be
/// negative (`axis-in-range`); before that, the meaning of a negative axis is open (`negative-axis`). All inputs have
/// the same rank and the same extents except along the axis (`other-extents-equal`). An input with extent 0 along the
/// axis adds nothing (`empty-axis`).
pub fn concat(call: &Call) -> Answer {
    let inputs = call.tensors("inputs")?;
    let Some(first) = inputs.first() else { return Err(Refusal::invalid("no input is given")) };
    let axis = call.optional_int("axis").unwrap_or(1);
    if axis < 0 && call.since() < 11 {
        call.leaves_open(rule::NEGATIVE_AXIS);
    }
    let axis = call.axis(axis, first.rank(), rule::AXIS_IN_RANGE)?;
    one(joined(&inputs, axis)?)
}

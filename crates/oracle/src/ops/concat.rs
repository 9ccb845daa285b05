use crate::prelude::*;

/// Joins the inputs along an axis.
///
/// In version 1, `axis` defaults to 1 (`default-axis`); from version 4 on it is required, and from version 11 on it may
/// be negative (`axis-in-range`, `negative-axis`). All inputs have the same rank and the same extents except along the
/// axis (`other-extents-equal`). An input with extent 0 along the axis adds nothing (`empty-axis`).
pub fn concat(call: &Call) -> Answer {
    let inputs = call.tensors("inputs")?;
    let Some(first) = inputs.first() else { return Err(Refusal::invalid("no input is given")) };
    let axis = call.axis(call.optional_int("axis").unwrap_or(1), first.rank(), rule::AXIS_IN_RANGE)?;
    let mut shape = first.shape().to_vec();
    shape[axis] = 0;
    for input in &inputs {
        let fits = input.rank() == shape.len() && (0..shape.len()).all(|d| d == axis || input.extent(d) == shape[d]);
        if !fits {
            return Err(Refusal::violates(
                rule::OTHER_EXTENTS_EQUAL,
                format!("shapes {:?} and {:?} differ on an axis other than `axis`", first.shape(), input.shape()),
            ));
        }
        shape[axis] = shape[axis].saturating_add(input.extent(axis));
    }
    shape::affordable(&shape)?;
    let extents = shape.clone();
    one(Expected::assembled(shape, &inputs, |i| {
        let mut at = shape::coordinates(i, &extents);
        let mut which = 0;
        while at[axis] >= inputs[which].extent(axis) {
            at[axis] -= inputs[which].extent(axis);
            which += 1;
        }
        (which, shape::index_of(&at, inputs[which].shape()))
    })?)
}

use crate::families::sequence::{sequence, stacked};
use crate::prelude::*;

/// ConcatFromSequence-11: `axis` lies in the rank of the result (C1); with `new_axis` all shapes are the same, without it they may differ along
/// the axis (C2). `new_axis` is 0 or 1 (B2). Of no tensor at all there is no shape to give (B1).
pub fn concat_from_sequence(call: &Call) -> Answer {
    let (_, items) = sequence(call, "input_sequence")?;
    let tensors = items.iter().map(Operand::tensor).collect::<Result<Vec<_>, _>>()?;
    let new_axis = match call.int("new_axis")? {
        0 => false,
        1 => true,
        other => return Err(Refusal::leaves_open(B2, format!("`new_axis` is {other}"))),
    };
    let Some(first) = tensors.first() else { return Err(Refusal::leaves_open(B1, "the sequence is empty")) };
    let axis = call.axis(call.int("axis")?, first.rank() + usize::from(new_axis), C1)?;
    let mut shape = first.shape().to_vec();
    if new_axis {
        return match tensors.iter().find(|t| t.shape() != shape) {
            Some(other) => Err(Refusal::violates(C2, format!("{shape:?} and {:?} do not stack", other.shape()))),
            None => one(stacked(&tensors, axis)?),
        };
    }
    shape[axis] = 0;
    for tensor in &tensors {
        let fits = tensor.rank() == shape.len() && (0..shape.len()).all(|d| d == axis || tensor.extent(d) == shape[d]);
        if !fits {
            return Err(Refusal::violates(C2, format!("{:?} and {:?} do not join", first.shape(), tensor.shape())));
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

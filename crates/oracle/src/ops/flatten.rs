use crate::prelude::*;

/// Reshapes the input to a matrix: the extents before `axis` become rows, the others columns.
///
/// Up to version 9, `axis` is not negative; from version 11 on, it may count from the end (`axis-in-range`). The output
/// always has rank 2 (`output-rank`).
pub fn flatten(call: &Call) -> Answer {
    let input = call.tensor("input")?;
    let (axis, rank) = (call.int("axis")?, input.rank() as i64);
    let least = if call.since() < 11 { 0 } else { -rank };
    if axis < least || axis > rank {
        return Err(Refusal::violates(rule::AXIS_IN_RANGE, format!("axis {axis} is outside [{least}, {rank}]")));
    }
    let (outer, inner) = input.shape().split_at(if axis < 0 { axis + rank } else { axis } as usize);
    let shape = vec![shape::product(outer)?, shape::product(inner)?];
    one(input.clone().reshaped(shape)?)
}

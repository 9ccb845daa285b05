use crate::prelude::*;

/// Flatten-1, -9: `axis` is not negative (`axis-in-range`). Flatten-11 and later: it may count from the back (`axis-in-range`). The output has rank 2
/// always (`output-rank`).
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

use crate::prelude::*;

/// Flatten-1, -9: `axis` is not negative (C1). Flatten-11 and later: it may count from the back (C1). The output has rank 2 always (B1).
pub fn flatten(call: &Call) -> Answer {
    let input = call.tensor("input")?;
    let (axis, rank) = (call.int("axis")?, input.rank() as i64);
    let least = if call.since() < 11 { 0 } else { -rank };
    if axis < least || axis > rank {
        return Err(Refusal::violates(C1, format!("axis {axis} is outside [{least}, {rank}]")));
    }
    let (outer, inner) = input.shape().split_at(if axis < 0 { axis + rank } else { axis } as usize);
    let shape = vec![shape::product(outer)?, shape::product(inner)?];
    one(input.clone().reshaped(shape)?)
}

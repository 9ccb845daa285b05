use crate::prelude::*;

/// Returns the extents of the input as a tensor.
///
/// Up to version 13, it returns all of them. From version 15 on, it returns those from `start` to `end`, which are
/// clamped to the rank (`out-of-range-bounds`).
pub fn shape(call: &Call) -> Answer {
    let data = call.tensor("data")?;
    let rank = data.rank() as i128;
    let clamped = |axis: i64| {
        let axis = i128::from(axis);
        (if axis < 0 { axis + rank } else { axis }).clamp(0, rank) as usize
    };
    let start = clamped(call.optional_int("start").unwrap_or(0));
    let end = call.optional_int("end").map_or(data.rank(), clamped);
    let extents: Vec<i64> = data.shape()[start..end.max(start)].iter().map(|&e| e as i64).collect();
    one(Tensor::from_i64s(&extents).into())
}

use crate::prelude::*;

/// Broadcasts the input together with a given shape.
///
/// Versions 8 and 13 have the same meaning; version 13 adds bfloat16. `shape` has rank 1 and no negative extents
/// (`shape-valid`); it and the input's shape broadcast in both directions (`shapes-broadcast`, `two-way-broadcast`),
/// extents of 0 included (`zero-extent`).
pub fn expand(call: &Call) -> Answer {
    let input = call.tensor("input")?;
    if call.tensor("shape")?.rank() != 1 {
        return Err(Refusal::violates(rule::SHAPE_VALID, "`shape` does not have rank 1"));
    }
    let wanted = call.ints("shape")?.into_iter().map(usize::try_from).collect::<Result<Vec<_>, _>>();
    let wanted = wanted.map_err(|_| Refusal::violates(rule::SHAPE_VALID, "`shape` has a negative extent"))?;
    let shape = shape::broadcast(&[input.shape(), &wanted]).ok_or_else(|| {
        Refusal::violates(rule::SHAPES_BROADCAST, format!("shapes {:?} and {wanted:?} do not broadcast", input.shape()))
    })?;
    shape::affordable(&shape)?;
    let from = shape::broadcast_indices(input.shape(), &shape);
    one(input.rearranged(shape, |i| from[i])?)
}

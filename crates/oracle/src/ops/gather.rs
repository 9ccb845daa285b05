use crate::prelude::*;

/// Selects slices of the data along an axis. The shape of `indices` takes the place of that axis (`output-shape`).
///
/// The data has rank 1 or more (`rank-at-least-one`), and the axis is in range (`axis-in-range`). Indices are within
/// bounds (`indices-in-range`). From version 11 on they may be negative and count from the end; version 1 does not say
/// so (`negative-index`).
pub fn gather(call: &Call) -> Answer {
    let (data, indices) = (call.tensor("data")?, call.tensor("indices")?);
    if data.rank() == 0 {
        return Err(Refusal::violates(rule::RANK_AT_LEAST_ONE, "`data` is a scalar, expected rank 1 or more"));
    }
    let axis = call.axis(call.int("axis")?, data.rank(), rule::AXIS_IN_RANGE)?;
    let given = call.ints("indices")?;
    let extent = data.extent(axis);
    let chosen =
        given.iter().map(|&k| shape::index_within(k, extent, rule::INDICES_IN_RANGE)).collect::<Result<Vec<_>, _>>()?;
    let q = indices.rank();
    let shape = [&data.shape()[..axis], indices.shape(), &data.shape()[axis + 1..]].concat();
    let index = |at: &[usize]| shape::index_of(&at[axis..axis + q], indices.shape());
    let output = data.moved(shape.clone(), |at| [&at[..axis], &[chosen[index(at)]], &at[axis + q..]].concat())?;
    let from_the_end = |i: usize| given[index(&shape::coordinates(i, &shape))] < 0;
    one(if call.since() < 11 { output.undecided_where(rule::NEGATIVE_INDEX, from_the_end) } else { output })
}

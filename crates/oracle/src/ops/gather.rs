use crate::prelude::*;

/// Gather-1, -11, -13: `indices` stand in place of the axis (`output-shape`). Data has an axis (`rank-at-least-one`, `axis-in-range`); indices are in
/// bounds (`indices-in-range`), and may count from the end from 11 on: before, nothing says so (`negative-index`).
pub fn gather(call: &Call) -> Answer {
    let (data, indices) = (call.tensor("data")?, call.tensor("indices")?);
    if data.rank() == 0 {
        return Err(Refusal::violates(rule::RANK_AT_LEAST_ONE, "`data` is of rank 0"));
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

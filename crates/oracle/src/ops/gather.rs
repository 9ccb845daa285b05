use crate::prelude::*;

/// Gather-1, -11, -13: `indices` stand in place of the axis (B2). Data has an axis (C1, C2); indices are in bounds (C3), and
/// may count from the end from 11 on: before, nothing says so (B1).
pub fn gather(call: &Call) -> Answer {
    let (data, indices) = (call.tensor("data")?, call.tensor("indices")?);
    if data.rank() == 0 {
        return Err(Refusal::violates(C1, "`data` is of rank 0"));
    }
    let axis = call.axis(call.int("axis")?, data.rank(), C2)?;
    let given = call.ints("indices")?;
    let extent = data.extent(axis);
    let chosen = given.iter().map(|&k| shape::index_within(k, extent, C3)).collect::<Result<Vec<_>, _>>()?;
    let q = indices.rank();
    let shape = [&data.shape()[..axis], indices.shape(), &data.shape()[axis + 1..]].concat();
    let index = |at: &[usize]| shape::index_of(&at[axis..axis + q], indices.shape());
    let output = data.moved(shape.clone(), |at| [&at[..axis], &[chosen[index(at)]], &at[axis + q..]].concat())?;
    let from_the_end = |i: usize| given[index(&shape::coordinates(i, &shape))] < 0;
    one(if call.since() < 11 { output.undecided_where(B1, from_the_end) } else { output })
}

use crate::prelude::*;

/// Selects elements or slices of `data`: the last axis of `indices` holds the leading coordinates of each.
///
/// From version 12 on, the first `batch_dims` axes are shared. Both inputs have rank 1 or more (`rank-at-least-one`),
/// and more than `batch_dims` (`batch-dims-in-range`); the shared extents are equal (`batch-extents-equal`). A list of
/// coordinates has at least one element and at most one per axis of `data` that is not shared
/// (`index-length-fits-rank`). Indices are within bounds (`indices-in-range`), and negative ones count from the end
/// (`negative-index`). The output rank follows the equations in the operator's description (`output-rank`).
pub fn gather_nd(call: &Call) -> Answer {
    let (data, indices) = (call.tensor("data")?, call.tensor("indices")?);
    let (r, q) = (data.rank(), indices.rank());
    if r == 0 || q == 0 {
        return Err(Refusal::violates(
            rule::RANK_AT_LEAST_ONE,
            format!("`data` and `indices` have ranks {r} and {q}, expected 1 or more"),
        ));
    }
    let batch = call.optional_int("batch_dims").unwrap_or(0);
    let b = usize::try_from(batch).ok().filter(|&b| b < r.min(q));
    let b = b.ok_or_else(|| {
        Refusal::violates(
            rule::BATCH_DIMS_IN_RANGE,
            format!("`batch_dims` is {batch}, expected 0 or more and less than both ranks, {r} and {q}"),
        )
    })?;
    if data.shape()[..b] != indices.shape()[..b] {
        return Err(Refusal::violates(
            rule::BATCH_EXTENTS_EQUAL,
            format!(
                "the first `batch_dims` extents of `data` {:?} and `indices` {:?} differ",
                data.shape(),
                indices.shape()
            ),
        ));
    }
    let k = indices.extent(q - 1);
    if k == 0 || k > r - b {
        return Err(Refusal::violates(
            rule::INDEX_LENGTH_FITS_RANK,
            format!("the last extent of `indices` is {k}, expected 1 to {}", r - b),
        ));
    }
    let given = call.ints("indices")?;
    let within = given
        .iter()
        .enumerate()
        .map(|(i, &at)| shape::index_within(at, data.extent(b + i % k), rule::INDICES_IN_RANGE));
    let coordinates = within.collect::<Result<Vec<_>, _>>()?;
    let outer = &indices.shape()[..q - 1];
    one(data.moved([outer, &data.shape()[b + k..]].concat(), |at| {
        let tuple = shape::index_of(&at[..q - 1], outer) * k;
        [&at[..b], &coordinates[tuple..tuple + k], &at[q - 1..]].concat()
    })?)
}

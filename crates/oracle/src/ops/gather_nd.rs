use crate::prelude::*;

/// GatherND-11: the last axis of `indices` holds the beginnings of coordinates in `data`. GatherND-12, -13: behind `batch_dims` shared axes. Both
/// have a rank (`rank-at-least-one`) that is larger than `batch_dims` (`batch-dims-in-range`), whose extents are equal (`batch-extents-equal`);
/// coordinates are 1 to r - b long (`index-length-fits-rank`) and in bounds (`indices-in-range`), from either end (`negative-index`). The rank is
/// that of the equations (`output-rank`).
pub fn gather_nd(call: &Call) -> Answer {
    let (data, indices) = (call.tensor("data")?, call.tensor("indices")?);
    let (r, q) = (data.rank(), indices.rank());
    if r == 0 || q == 0 {
        return Err(Refusal::violates(rule::RANK_AT_LEAST_ONE, format!("ranks are {r} and {q}")));
    }
    let batch = call.optional_int("batch_dims").unwrap_or(0);
    let b = usize::try_from(batch).ok().filter(|&b| b < r.min(q));
    let b = b.ok_or_else(|| {
        Refusal::violates(rule::BATCH_DIMS_IN_RANGE, format!("`batch_dims` is {batch} for ranks {r} and {q}"))
    })?;
    if data.shape()[..b] != indices.shape()[..b] {
        return Err(Refusal::violates(
            rule::BATCH_EXTENTS_EQUAL,
            format!("{:?} and {:?} have other batches", data.shape(), indices.shape()),
        ));
    }
    let k = indices.extent(q - 1);
    if k == 0 || k > r - b {
        return Err(Refusal::violates(
            rule::INDEX_LENGTH_FITS_RANK,
            format!("coordinates of length {k} for {} axes", r - b),
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

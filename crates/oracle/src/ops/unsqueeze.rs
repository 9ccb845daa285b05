use crate::prelude::*;

/// Inserts axes of extent 1.
///
/// From version 11 on, axes may be negative (`axes-in-range`); from version 13 on, `axes` is an input. Axes refer to
/// the output, in any order (`axes-order`), without duplicates (`axes-unique`), and may be an empty list
/// (`empty-axes`). From version 23 on, `axes` has rank 1 (`axes-rank-one`); before: `list-rank`.
pub fn unsqueeze(call: &Call) -> Answer {
    let data = call.tensor("data")?;
    let axes = match call.since() {
        ..13 => call.int_list("axes")?,
        _ => call.optional_rank_one("axes", rule::AXES_RANK_ONE)?.unwrap_or_default(),
    };
    let rank = data.rank() + axes.len();
    let inserted = shape::axes_within(&axes, rank, call.since() >= 11, rule::AXES_IN_RANGE)?;
    if !shape::distinct(&inserted) {
        return Err(Refusal::violates(rule::AXES_UNIQUE, format!("axes {axes:?} name an axis twice")));
    }
    let mut extents = data.shape().iter().copied();
    let shape = (0..rank).map(|d| if inserted.contains(&d) { 1 } else { extents.next().unwrap_or(1) }).collect();
    one(data.clone().reshaped(shape)?)
}

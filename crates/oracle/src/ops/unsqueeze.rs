use crate::prelude::*;

/// Unsqueeze-1: axes are not negative (`axes-in-range`). Unsqueeze-11: they may be (`axes-in-range`). Unsqueeze-13 and later: `axes` is an input.
/// Axes are those of the output, in any order (`axes-order`), none twice (`axes-unique`), or none at all (`empty-axes`).
pub fn unsqueeze(call: &Call) -> Answer {
    let data = call.tensor("data")?;
    let axes = if call.since() < 13 { call.int_list("axes")? } else { call.ints("axes")? };
    let rank = data.rank() + axes.len();
    let inserted = shape::axes_within(&axes, rank, call.since() >= 11, rule::AXES_IN_RANGE)?;
    if !shape::distinct(&inserted) {
        return Err(Refusal::violates(rule::AXES_UNIQUE, format!("{axes:?} has an axis twice")));
    }
    let mut extents = data.shape().iter().copied();
    let shape = (0..rank).map(|d| if inserted.contains(&d) { 1 } else { extents.next().unwrap_or(1) }).collect();
    one(data.clone().reshaped(shape)?)
}

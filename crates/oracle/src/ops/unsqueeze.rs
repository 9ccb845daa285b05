use crate::prelude::*;

/// Unsqueeze-1: axes are not negative (C1). Unsqueeze-11: they may be (C1). Unsqueeze-13 and later: `axes` is an input.
/// Axes are those of the output, in any order (B1), none twice (C2), or none at all (B2).
pub fn unsqueeze(call: &Call) -> Answer {
    let data = call.tensor("data")?;
    let axes = if call.since() < 13 { call.int_list("axes")? } else { call.ints("axes")? };
    let rank = data.rank() + axes.len();
    let inserted = shape::axes_within(&axes, rank, call.since() >= 11, C1)?;
    if !shape::distinct(&inserted) {
        return Err(Refusal::violates(C2, format!("{axes:?} has an axis twice")));
    }
    let mut extents = data.shape().iter().copied();
    let shape = (0..rank).map(|d| if inserted.contains(&d) { 1 } else { extents.next().unwrap_or(1) }).collect();
    one(data.clone().reshaped(shape)?)
}

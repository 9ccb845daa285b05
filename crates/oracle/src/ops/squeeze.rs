use crate::prelude::*;

/// Removes axes of extent 1.
///
/// From version 11 on, axes may be negative (`axes-in-range`); from version 13 on, `axes` is an input. Each
/// selected axis has extent 1 (`selected-extents-are-one`). Without `axes`, all extents of 1 are removed; an empty list
/// removes none (`empty-axes`). An axis that is given twice counts once (`duplicate-axes`). From version 23 on, `axes`
/// has rank 1 (`axes-rank-one`); before: `list-rank`.
pub fn squeeze(call: &Call) -> Answer {
    let data = call.tensor("data")?;
    let axes = match call.since() {
        ..13 => call.optional_int_list("axes"),
        13..23 => call.optional_list("axes")?,
        _ => call.optional_rank_one("axes", rule::AXES_RANK_ONE)?,
    };
    let selected = match axes {
        Some(axes) => shape::axes_within(&axes, data.rank(), call.since() >= 11, rule::AXES_IN_RANGE)?,
        None => (0..data.rank()).filter(|&d| data.extent(d) == 1).collect(),
    };
    if let Some(&d) = selected.iter().find(|&&d| data.extent(d) != 1) {
        return Err(Refusal::violates(
            rule::SELECTED_EXTENTS_ARE_ONE,
            format!("axis {d} of shape {:?} does not have extent 1", data.shape()),
        ));
    }
    if !shape::distinct(&selected) {
        call.leaves_open(rule::DUPLICATE_AXES);
    }
    let kept = (0..data.rank()).filter(|d| !selected.contains(d)).map(|d| data.extent(d)).collect();
    one(data.clone().reshaped(kept)?)
}

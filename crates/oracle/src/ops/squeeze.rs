use crate::prelude::*;

/// Squeeze-1: axes are not negative (`axes-in-range`). Squeeze-11: they may be (`axes-in-range`). Squeeze-13 and later: `axes` is an input. A
/// selected extent is 1 (`selected-extents-are-one`). Without `axes` every extent of 1 goes; an empty list takes none away (`empty-axes`), an axis
/// twice counts once (`duplicate-axes`).
pub fn squeeze(call: &Call) -> Answer {
    let data = call.tensor("data")?;
    let axes = if call.since() < 13 { call.optional_int_list("axes") } else { call.optional_ints("axes")? };
    let selected = match axes {
        Some(axes) => shape::axes_within(&axes, data.rank(), call.since() >= 11, rule::AXES_IN_RANGE)?,
        None => (0..data.rank()).filter(|&d| data.extent(d) == 1).collect(),
    };
    if let Some(&d) = selected.iter().find(|&&d| data.extent(d) != 1) {
        return Err(Refusal::violates(
            rule::SELECTED_EXTENTS_ARE_ONE,
            format!("extent {d} of {:?} is not 1", data.shape()),
        ));
    }
    let kept = (0..data.rank()).filter(|d| !selected.contains(d)).map(|d| data.extent(d)).collect();
    one(data.clone().reshaped(kept)?)
}

use crate::prelude::*;

/// Squeeze-1: axes are not negative (C1). Squeeze-11: they may be (C1). Squeeze-13 and later: `axes` is an input.
/// A selected extent is 1 (C2). Without `axes` every extent of 1 goes; an empty list takes none away (B1), an axis twice counts once (B2).
pub fn squeeze(call: &Call) -> Answer {
    let data = call.tensor("data")?;
    let axes = if call.since() < 13 { call.optional_int_list("axes") } else { call.optional_ints("axes")? };
    let selected = match axes {
        Some(axes) => shape::axes_within(&axes, data.rank(), call.since() >= 11, C1)?,
        None => (0..data.rank()).filter(|&d| data.extent(d) == 1).collect(),
    };
    if let Some(&d) = selected.iter().find(|&&d| data.extent(d) != 1) {
        return Err(Refusal::violates(C2, format!("extent {d} of {:?} is not 1", data.shape())));
    }
    let kept = (0..data.rank()).filter(|d| !selected.contains(d)).map(|d| data.extent(d)).collect();
    one(data.clone().reshaped(kept)?)
}

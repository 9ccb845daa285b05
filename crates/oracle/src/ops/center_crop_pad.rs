use crate::prelude::*;

/// CenterCropPad-18: the middle of an axis, or zeros around it (B1). `shape` has one extent for each axis (C1), none of them negative (C3); axes are in range (C2), none twice (B2).
/// What is left over when a difference is halved stands, or is cut off, at the right (B3).
pub fn center_crop_pad(call: &Call) -> Answer {
    let data = call.tensor("input_data")?;
    let axes = match call.optional_int_list("axes") {
        Some(axes) => shape::axes_within(&axes, data.rank(), true, C2)?,
        None => (0..data.rank()).collect(),
    };
    if !shape::distinct(&axes) {
        return Err(Refusal::leaves_open(B2, format!("{axes:?} has an axis twice")));
    }
    let wanted = call.ints("shape")?;
    if call.tensor("shape")?.rank() != 1 || wanted.len() != axes.len() {
        return Err(Refusal::violates(C1, format!("{} extents for {} axes", wanted.len(), axes.len())));
    }
    let mut extents = data.shape().to_vec();
    for (axis, extent) in axes.into_iter().zip(wanted) {
        extents[axis] = usize::try_from(extent).map_err(|_| Refusal::violates(C3, format!("an extent is {extent}")))?;
    }
    let zero = Expected::zero(data.dtype(), B1)?;
    let source = |at: &[usize]| -> Option<Vec<usize>> {
        let place = |(d, &i): (usize, &usize)| match (data.extent(d), extents[d]) {
            (from, to) if from >= to => Some(i + (from - to) / 2),
            (from, to) => i.checked_sub((to - from) / 2).filter(|&place| place < from),
        };
        at.iter().enumerate().map(place).collect()
    };
    one(data.moved_or(extents.clone(), &zero, source)?)
}

use crate::prelude::*;

/// CenterCropPad-18: the middle of an axis, or zeros around it (`padding-value`). `shape` has one extent for each axis (`shape-fits-axes`), none of
/// them negative (`extents-non-negative`); axes are in range (`axes-in-range`), none twice (`duplicate-axes`). What is left over when a difference is
/// halved stands, or is cut off, at the right (`odd-difference`).
pub fn center_crop_pad(call: &Call) -> Answer {
    let data = call.tensor("input_data")?;
    let axes = match call.optional_int_list("axes") {
        Some(axes) => shape::axes_within(&axes, data.rank(), true, rule::AXES_IN_RANGE)?,
        None => (0..data.rank()).collect(),
    };
    if !shape::distinct(&axes) {
        return Err(Refusal::leaves_open(rule::DUPLICATE_AXES, format!("{axes:?} has an axis twice")));
    }
    let wanted = call.ints("shape")?;
    if call.tensor("shape")?.rank() != 1 || wanted.len() != axes.len() {
        return Err(Refusal::violates(
            rule::SHAPE_FITS_AXES,
            format!("{} extents for {} axes", wanted.len(), axes.len()),
        ));
    }
    let mut extents = data.shape().to_vec();
    for (axis, extent) in axes.into_iter().zip(wanted) {
        extents[axis] = usize::try_from(extent)
            .map_err(|_| Refusal::violates(rule::EXTENTS_NON_NEGATIVE, format!("an extent is {extent}")))?;
    }
    let zero = Expected::zero(data.dtype(), rule::PADDING_VALUE)?;
    let source = |at: &[usize]| -> Option<Vec<usize>> {
        let place = |(d, &i): (usize, &usize)| match (data.extent(d), extents[d]) {
            (from, to) if from >= to => Some(i + (from - to) / 2),
            (from, to) => i.checked_sub((to - from) / 2).filter(|&place| place < from),
        };
        at.iter().enumerate().map(place).collect()
    };
    one(data.moved_or(extents.clone(), &zero, source)?)
}

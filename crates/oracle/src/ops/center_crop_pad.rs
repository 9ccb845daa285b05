use crate::prelude::*;

/// Crops each of the `axes` to its centre, or pads it with zeros on both sides (`padding-value`).
///
/// The only version is 18. Constraints: `shape` has one extent per axis (`shape-fits-axes`), no extent is negative
/// (`extents-non-negative`), and the axes are in range (`axes-in-range`). Axes that are given twice: `duplicate-axes`.
/// If the difference is odd, the larger half is added or cut off at the end (`odd-difference`); the text of earlier
/// releases does not say so (`uneven-halves`).
pub fn center_crop_pad(call: &Call) -> Answer {
    let data = call.tensor("input_data")?;
    let axes = match call.optional_int_list("axes") {
        Some(axes) => shape::axes_within(&axes, data.rank(), true, rule::AXES_IN_RANGE)?,
        None => (0..data.rank()).collect(),
    };
    if !shape::distinct(&axes) {
        return Err(Refusal::leaves_open(rule::DUPLICATE_AXES, format!("axes {axes:?} name an axis twice")));
    }
    let wanted = call.ints("shape")?;
    if call.tensor("shape")?.rank() != 1 || wanted.len() != axes.len() {
        return Err(Refusal::violates(
            rule::SHAPE_FITS_AXES,
            format!("`shape` has shape {:?}, expected [{}]", call.tensor("shape")?.shape(), axes.len()),
        ));
    }
    let mut extents = data.shape().to_vec();
    for (axis, extent) in axes.into_iter().zip(wanted) {
        extents[axis] = usize::try_from(extent)
            .map_err(|_| Refusal::violates(rule::EXTENTS_NON_NEGATIVE, format!("extent {extent} is negative")))?;
    }
    let odd = data.shape().iter().zip(&extents).any(|(&from, &to)| from.abs_diff(to) % 2 == 1);
    // Whether the larger half is at the beginning.
    let early = odd && call.follows(rule::UNEVEN_HALVES) && call.reading(rule::UNEVEN_HALVES, 2) == 1;
    let half = |difference: usize| if early { difference.div_ceil(2) } else { difference / 2 };
    let zero = Expected::zero(data.dtype(), rule::PADDING_VALUE)?;
    let source = |at: &[usize]| -> Option<Vec<usize>> {
        let place = |(d, &i): (usize, &usize)| match (data.extent(d), extents[d]) {
            (from, to) if from >= to => Some(i + half(from - to)),
            (from, to) => i.checked_sub(half(to - from)).filter(|&place| place < from),
        };
        at.iter().enumerate().map(place).collect()
    };
    one(data.moved_or(extents.clone(), &zero, source)?)
}

#[cfg(test)]
mod tests {
    use crate::testing::{answers_by, floats};
    use plumbline_tensor::Tensor;

    #[test]
    fn older_texts_do_not_say_where_the_larger_half_is() {
        let inputs = [floats(&[4], &[1.0, 2.0, 3.0, 4.0]), Tensor::from_i64s(&[3])];
        let (begin, end) = (vec![1.0, 2.0, 3.0], vec![2.0, 3.0, 4.0]);
        assert_eq!(answers_by("1.17", "CenterCropPad", 18, &inputs), [begin.clone(), begin.clone(), end]);
        assert_eq!(answers_by("1.18", "CenterCropPad", 18, &inputs), [begin]);
    }
}

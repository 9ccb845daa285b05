use crate::prelude::*;

/// Returns the same elements in another shape.
///
/// In version 1, `shape` is a required attribute (`shape-given`); from version 5 on, it is an input. Version 14 adds
/// `allowzero`. A `shape` of another rank than 1: `list-rank`.
///
/// Values of `allowzero` other than 0 and 1: `other-flag-values`.
pub fn reshape(call: &Call) -> Answer {
    let data = call.tensor("data")?;
    let wanted = if call.since() < 5 {
        let shape = call.optional_int_list("shape");
        shape.ok_or_else(|| Refusal::violates(rule::SHAPE_GIVEN, "attribute `shape` is missing"))?
    } else {
        call.optional_list("shape")?.unwrap_or_default()
    };
    let allowzero = call.flag("allowzero");
    let shape = target(data.shape(), &wanted, allowzero)?;
    one(data.clone().reshaped(shape)?)
}

/// Returns the output shape. An extent of 0 copies that of the input (`zero-copies-extent`), unless `allowzero` is set;
/// one extent of -1 is inferred; an empty shape is that of a scalar (`empty-shape`).
fn target(from: &[usize], wanted: &[i64], allowzero: bool) -> Result<Vec<usize>, Refusal> {
    if wanted.iter().filter(|&&e| e == -1).count() > 1 {
        return Err(Refusal::violates(rule::ONE_INFERRED_EXTENT, format!("`shape` {wanted:?} has more than one -1")));
    }
    if allowzero && wanted.contains(&0) && wanted.contains(&-1) {
        return Err(Refusal::violates(
            rule::ALLOWZERO_WITHOUT_INFERENCE,
            format!("`shape` {wanted:?} has both 0 and -1, but `allowzero` is set"),
        ));
    }
    let mut shape = Vec::with_capacity(wanted.len());
    for (d, &extent) in wanted.iter().enumerate() {
        shape.push(match extent {
            0 if !allowzero => *from.get(d).ok_or_else(|| {
                Refusal::violates(
                    rule::COPIED_EXTENT_EXISTS,
                    format!("`shape` {wanted:?} copies extent {d} of an input of rank {}", from.len()),
                )
            })?,
            -1 => 1,
            _ => usize::try_from(extent).map_err(|_| {
                Refusal::violates(
                    rule::EXTENTS_NON_NEGATIVE,
                    format!("`shape` {wanted:?} has a negative extent other than -1"),
                )
            })?,
        });
    }
    let wrong = || Refusal::violates(rule::ELEMENT_COUNTS_EQUAL, format!("shape {from:?} cannot become {wanted:?}"));
    let (count, others) = (shape::product(from)?, shape::product(&shape).map_err(|_| wrong())?);
    match wanted.iter().position(|&e| e == -1) {
        Some(d) if others > 0 && count % others == 0 => shape[d] = count / others,
        None if count == others => {}
        _ => return Err(wrong()),
    }
    Ok(shape)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(from: &[usize], wanted: &[i64], allowzero: bool) -> Option<Label> {
        target(from, wanted, allowzero).unwrap_err().label
    }

    #[test]
    fn extents_are_copied_and_inferred() {
        assert_eq!(target(&[2, 3, 4], &[4, 0, -1], false).unwrap(), [4, 3, 2]);
        assert_eq!(target(&[2, 3, 4], &[0, -1], false).unwrap(), [2, 12]);
        assert_eq!(target(&[1, 1], &[], false).unwrap(), [0usize; 0]);
        assert_eq!(target(&[0, 3], &[-1, 5], false).unwrap(), [0, 5]);
        assert_eq!(target(&[0, 3], &[3, 4, 0], true).unwrap(), [3, 4, 0]);
    }

    #[test]
    fn invalid_shapes_are_refused() {
        assert_eq!(label(&[0, 3], &[0, -1], false), Some(rule::ELEMENT_COUNTS_EQUAL));
        assert_eq!(label(&[2, 3], &[4, -1], false), Some(rule::ELEMENT_COUNTS_EQUAL));
        assert_eq!(label(&[0, 3], &[0, -1], true), Some(rule::ALLOWZERO_WITHOUT_INFERENCE));
        assert_eq!(label(&[6], &[6, 0], false), Some(rule::COPIED_EXTENT_EXISTS));
        assert_eq!(label(&[6], &[-6], false), Some(rule::EXTENTS_NON_NEGATIVE));
        assert_eq!(label(&[2], &[i64::MAX, i64::MAX], false), Some(rule::ELEMENT_COUNTS_EQUAL));
    }
}

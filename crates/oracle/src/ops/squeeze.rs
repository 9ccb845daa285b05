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

#[cfg(test)]
mod tests {
    use crate::testing::{floats, refusable_by, run};
    use plumbline_tensor::Tensor;

    #[test]
    fn the_first_text_of_version_23_does_not_give_the_rank_of_the_axes() {
        let inputs = [floats(&[1, 2], &[1.0, 2.0]), Tensor::from_i64(0)];
        assert!(run("Squeeze", 23, &inputs, 1).is_err());
        assert!(refusable_by("1.23", "Squeeze", 21, &inputs, 1).is_some_and(|rule| rule.contains("list-rank")));
    }
}

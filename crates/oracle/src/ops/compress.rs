use crate::prelude::*;

/// Selects the slices along an axis for which `condition` is true.
///
/// Versions 9, 11 and 28 have the same meaning. From version 11 on, the axis may be negative (`axis-in-range`); version
/// 28 adds bfloat16. Without an axis, the input is flattened first (`default-axis`).
///
/// Constraints: the input has rank 1 or more (`rank-at-least-one`), `condition` has rank 1 (`condition-rank-one`), and
/// if `condition` is longer than the axis, its surplus elements are false (`condition-fits-extent`). Slices beyond a
/// short condition are dropped (`short-condition`); a condition that is longer than the extent may be rejected
/// (`long-condition`).
pub fn compress(call: &Call) -> Answer {
    let (input, condition) = (call.tensor("input")?, call.tensor("condition")?);
    if input.rank() == 0 {
        return Err(Refusal::violates(rule::RANK_AT_LEAST_ONE, "`input` is a scalar, expected rank 1 or more"));
    }
    if condition.rank() != 1 {
        return Err(Refusal::violates(
            rule::CONDITION_RANK_ONE,
            format!("`condition` has rank {}, expected 1", condition.rank()),
        ));
    }
    let flags = condition.flags()?;
    let chosen = |extent: usize| -> Result<Vec<usize>, Refusal> {
        let chosen: Vec<usize> = (0..flags.len()).filter(|&i| flags[i]).collect();
        if let Some(beyond) = chosen.iter().find(|&&i| i >= extent) {
            return Err(Refusal::violates(
                rule::CONDITION_FITS_EXTENT,
                format!("`condition` selects index {beyond} of an axis with {extent} elements"),
            ));
        }
        if flags.len() > extent {
            call.leaves_open(rule::LONG_CONDITION);
        }
        Ok(chosen)
    };
    let Some(axis) = call.optional_int("axis") else {
        let chosen = chosen(input.len())?;
        return one(input.rearranged(vec![chosen.len()], |i| chosen[i])?);
    };
    let axis = call.axis(axis, input.rank(), rule::AXIS_IN_RANGE)?;
    let chosen = chosen(input.extent(axis))?;
    let mut shape = input.shape().to_vec();
    shape[axis] = chosen.len();
    one(input.moved(shape, |at| {
        let mut from = at.to_vec();
        from[axis] = chosen[at[axis]];
        from
    })?)
}

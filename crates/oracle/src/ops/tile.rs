use crate::prelude::*;

/// Repeats the input along its axes.
///
/// In version 1, `tiles` copies are made along one `axis`; both are tensors of the data's own type
/// (`tiles-and-axis-valid`, `output-shape`). From version 6 on, there is one number of copies per axis
/// (`repeats-fit-axes`, `repeats-non-negative`), which may be 0 (`zero-repeats`).
pub fn tile(call: &Call) -> Answer {
    let input = call.tensor("input")?;
    let repeats = if call.since() < 6 { along_one_axis(call, input.rank())? } else { call.ints("repeats")? };
    if call.since() >= 6 && call.tensor("repeats")?.rank() != 1 || repeats.len() != input.rank() {
        return Err(Refusal::violates(
            rule::REPEATS_FIT_AXES,
            format!("`repeats` does not have shape [{}]", input.rank()),
        ));
    }
    let mut shape = input.shape().to_vec();
    for (extent, &repeat) in shape.iter_mut().zip(&repeats) {
        let repeat = usize::try_from(repeat).map_err(|_| {
            Refusal::violates(
                rule::REPEATS_NON_NEGATIVE,
                format!("the numbers of copies are {repeats:?}, expected none below 0"),
            )
        })?;
        *extent = extent.saturating_mul(repeat);
    }
    one(input.moved(shape, |at| at.iter().zip(input.shape()).map(|(&i, &extent)| i % extent).collect())?)
}

fn along_one_axis(call: &Call, rank: usize) -> Result<Vec<i64>, Refusal> {
    let number = |name: &str| {
        let tensor = call.tensor(name)?;
        if !tensor.is_certain() {
            return Err(Refusal::unsupported(format!(
                "input `{name}` decides what is computed, but the oracle accepts more than one value for it"
            )));
        }
        match tensor.tensor.to_f64s()[..] {
            [x] if x.fract() == 0.0 && x.abs() < 9e15 => Ok(x as i64),
            _ => Err(Refusal::violates(rule::TILES_AND_AXIS_VALID, format!("`{name}` is not one integer"))),
        }
    };
    let (tiles, axis) = (number("tiles")?, number("axis")?);
    let axis = shape::axes_within(&[axis], rank, false, rule::TILES_AND_AXIS_VALID)?[0];
    Ok((0..rank).map(|d| if d == axis { tiles } else { 1 }).collect())
}

use crate::families::activation::multiply_add;
use crate::families::normalization::{constant, of_outcomes, returned, staged};
use crate::families::spread::Spread;
use crate::prelude::*;

/// Normalizes groups of channels with the mean and variance of each group, then applies `scale` and `bias`.
///
/// In version 18, there is one parameter per group, and statistics are computed in the type of `X`. From version 21 on,
/// there is one per channel, and statistics are computed in `stash_type`. Constraints: the rank (`input-has-channels`),
/// groups of equal size (`groups-divide-channels`), the shapes of the parameters (`parameter-shapes-fit`), and
/// `stash_type` (`stash-type-allowed`). In releases before 1.18, the text of version 21 contradicts itself about the
/// number of parameters (`parameters-per-group`). The variance of the function body: `variance-cancellation`; squares
/// that overflow: `intermediate-overflow`.
pub fn group_normalization(call: &Call) -> Answer {
    let x = call.tensor("X")?;
    let dtype = x.dtype();
    let &[instances, channels, ref inner @ ..] = x.shape() else {
        return Err(Refusal::violates(
            rule::INPUT_HAS_CHANNELS,
            format!("`X` has rank {}, expected 2 or more", x.rank()),
        ));
    };
    let groups = usize::try_from(call.int("num_groups")?).ok().filter(|&g| g > 0 && channels.is_multiple_of(g));
    let groups = groups.ok_or_else(|| {
        Refusal::violates(
            rule::GROUPS_DIVIDE_CHANNELS,
            format!("`num_groups` is not a positive divisor of {channels} channels"),
        )
    })?;
    let (scale, bias) = (call.tensor("scale")?, call.tensor("bias")?);
    let contradictory = groups != channels && call.follows(rule::PARAMETERS_PER_GROUP);
    if contradictory {
        call.leaves_open(rule::PARAMETERS_PER_GROUP);
    }
    let per_group = contradictory && scale.shape() == [groups];
    let parameters = if call.since() < 21 || per_group { groups } else { channels };
    if scale.shape() != [parameters] || bias.shape() != [parameters] {
        let shapes = (scale.shape(), bias.shape());
        return Err(Refusal::violates(
            rule::PARAMETER_SHAPES_FIT,
            format!("`scale` and `bias` have shapes {shapes:?}, expected [{parameters}]"),
        ));
    }
    let stash = match call.optional_int("stash_type") {
        None => dtype,
        Some(code) => stash_type(code, rule::STASH_TYPE_ALLOWED)?,
    };
    let epsilon = constant(call.float("epsilon")?, stash);
    let each = shape::product(inner)?;
    let count = shape::product(&[channels / groups, each])?;
    let [y] = of_outcomes(&[x, scale, bias], |read| {
        let mut y = Vec::with_capacity(x.len());
        for start in (0..if x.is_empty() { 0 } else { instances * groups }).map(|g| g * count) {
            let elements: Vec<Real> = (start..start + count).map(|i| staged(read(&x.number(i)), stash)).collect();
            let spread = Spread::compute(&elements, stash);
            let (by_text, by_body) = (spread.deviation(epsilon), spread.by_moments(epsilon));
            for (at, i) in (start..start + count).enumerate() {
                let p = i / each % channels * parameters / channels;
                let number = Number::from(spread.standardized(at, by_text))
                    .or(spread.normalized(at, by_body).overflowing(), rule::VARIANCE_CANCELLATION);
                let number = spread
                    .strays(at, true)
                    .into_iter()
                    .fold(number, |y, stray| y.or(stray, rule::INTERMEDIATE_OVERFLOW));
                let first = number.map_real(|x| returned(x, dtype));
                y.push(multiply_add(first, read(&scale.number(p)).into(), read(&bias.number(p)).into()));
            }
        }
        Ok([y])
    })?;
    call.answer(x.shape().to_vec(), y)
}

/// Returns the floating-point type that a `stash_type` names; `label` is the constraint on it.
pub fn stash_type(code: i64, label: Label) -> Result<DType, Refusal> {
    match code {
        1 => Ok(DType::Float),
        10 => Ok(DType::Float16),
        11 => Ok(DType::Double),
        16 => Ok(DType::Bfloat16),
        other => Err(Refusal::violates(
            label,
            format!("`stash_type` is {other}, which is not a floating-point type of the operator"),
        )),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{answer_of_refused, floats};

    #[test]
    fn the_first_text_of_version_21_takes_a_parameter_for_each_group() {
        let inputs = [floats(&[1, 2, 1], &[5.0, 5.0]), floats(&[1], &[3.0]), floats(&[1], &[0.5])];
        let by = |release: &str| answer_of_refused(release, "GroupNormalization <num_groups = 1>", 21, &inputs);
        assert_eq!((by("1.17"), by("1.18")), (Some(vec![0.5, 0.5]), None));
    }
}

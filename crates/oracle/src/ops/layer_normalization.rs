use crate::families::activation::multiply_add;
use crate::families::normalization::{constant, of_outcomes, reciprocal, returned, staged};
use crate::families::spread::Spread;
use crate::prelude::*;

/// Normalizes all axes from `axis` on with their mean and variance, then applies `Scale` and `B`.
///
/// The only version is 17. Constraints: the axis (`axis-in-range`; in releases before 1.15 it may be the rank,
/// `axis-behind-last`), `Scale` and `B` that broadcast to `X`
/// (`scale-broadcasts`), and `stash_type` (`stash-type-allowed`). The shapes of `Scale` and `B` that the function body
/// accepts: `scale-shape`; the variance of the function body: `variance-cancellation`; empty rows: `empty-reduction`;
/// float64 that is computed in float: `stash-precision`; squares that overflow: `intermediate-overflow`.
pub fn layer_normalization(call: &Call) -> Answer {
    let x = call.tensor("X")?;
    let axis = match call.int("axis")? {
        axis if axis == x.rank() as i64 && call.follows(rule::AXIS_BEHIND_LAST) => x.rank(),
        axis => call.axis(axis, x.rank(), rule::AXIS_IN_RANGE)?,
    };
    let dtype = x.dtype();
    let stash = match call.int("stash_type")? {
        1 => DType::Float,
        16 => DType::Bfloat16,
        other => {
            return Err(Refusal::violates(
                rule::STASH_TYPE_ALLOWED,
                format!("`stash_type` is {other}, expected float (1) or bfloat16 (16)"),
            ));
        }
    };
    let scale = call.tensor("Scale")?;
    let bias = call.optional_tensor("B")?;
    let at = |t: &Expected| match shape::broadcasts_to(t.shape(), x.shape()) {
        true => Ok(shape::broadcast_indices(t.shape(), x.shape())),
        false => Err(Refusal::violates(
            rule::SCALE_BROADCASTS,
            format!("`Scale` or `B` of shape {:?} does not broadcast to `X` of shape {:?}", t.shape(), x.shape()),
        )),
    };
    let scale_at = at(scale)?;
    let bias_at = bias.map(at).transpose()?;
    let epsilon = constant(call.float("epsilon")?, stash);
    let rows: usize = shape::product(&x.shape()[..axis])?;
    let row = shape::product(&x.shape()[axis..])?;
    // The function body flattens `Scale` and `B`, so it accepts only the shape of the normalized axes (`scale-shape`).
    if [Some(scale), bias].into_iter().flatten().any(|t| t.shape() != &x.shape()[axis..]) {
        call.leaves_open(rule::SCALE_SHAPE);
    }
    let tensors: Vec<&Expected> = [x, scale].into_iter().chain(bias).collect();
    let [y, means, inverses] = of_outcomes(&tensors, |read| {
        let mut y = Vec::with_capacity(x.len());
        let (mut means, mut inverses) = (vec![], vec![]);
        for start in (0..rows).map(|r| r * row) {
            let elements: Vec<Real> = (start..start + row).map(|i| staged(read(&x.number(i)), stash)).collect();
            if elements.is_empty() {
                // The mean is 0 / 0, or 0. The inverse deviation is NaN, or 1 / sqrt(epsilon) (`empty-reduction`).
                let nothing = Number::constant(f64::NAN, stash);
                means.push(nothing.or(nothing.like(0.0), rule::EMPTY_REDUCTION));
                inverses.push(nothing.or(reciprocal(Number::from(epsilon).sqrt().real()), rule::EMPTY_REDUCTION));
                continue;
            }
            let spread = Spread::compute(&elements, stash);
            let (by_text, by_body) = (spread.deviation(epsilon), spread.by_moments(epsilon));
            means.push(spread.mean(rule::INTERMEDIATE_OVERFLOW));
            inverses.push(spread.inverse(by_text, rule::INTERMEDIATE_OVERFLOW).or(
                spread.inverse(by_body, rule::INTERMEDIATE_OVERFLOW).widest().overflowing(),
                rule::VARIANCE_CANCELLATION,
            ));
            for (at, i) in (start..start + row).enumerate() {
                let number = Number::from(spread.standardized(at, by_text))
                    .or(spread.normalized(at, by_body).overflowing(), rule::VARIANCE_CANCELLATION);
                let number = spread
                    .strays(at, true)
                    .into_iter()
                    .fold(number, |y, stray| y.or(stray, rule::INTERMEDIATE_OVERFLOW));
                let first = number.map_real(|x| returned(x, dtype));
                let scale = read(&scale.number(scale_at[i])).into();
                y.push(match bias.zip(bias_at.as_ref()) {
                    Some((bias, at)) => multiply_add(first, scale, read(&bias.number(at[i])).into()),
                    None => first * scale,
                });
            }
        }
        Ok([y, means, inverses])
    })?;
    let reduced: Vec<usize> = (0..x.rank()).map(|d| if d < axis { x.extent(d) } else { 1 }).collect();
    several([
        Expected::from_numbers(dtype, x.shape().to_vec(), y)?,
        Expected::from_numbers(stash, reduced.clone(), means)?,
        Expected::from_numbers(stash, reduced, inverses)?,
    ])
}

#[cfg(test)]
mod tests {
    use crate::testing::{answer_of_refused, floats};

    /// Each element is its own mean, so that only the bias remains.
    #[test]
    fn the_first_text_takes_the_rank_as_the_axis() {
        let inputs = [floats(&[2], &[5.0, 7.0]), floats(&[1], &[3.0]), floats(&[1], &[0.5])];
        let by = |release: &str| answer_of_refused(release, "LayerNormalization <axis = 1>", 17, &inputs);
        assert_eq!((by("1.14"), by("1.15")), (Some(vec![0.5, 0.5]), None));
    }
}

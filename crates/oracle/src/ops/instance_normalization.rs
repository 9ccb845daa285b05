use crate::families::normalization::{constant, of_outcomes};
use crate::families::spread::Spread;
use crate::families::spread::standardized;
use crate::prelude::*;

/// Normalizes each channel of each instance with its own mean and variance, then applies `scale` and `B`.
///
/// Version 1 takes rank 4, later versions any rank of 2 or more. Constraints: the rank (`input-has-channels`) and the
/// shapes of the parameters (`parameter-shapes-fit`). The variance is the mean of the squared deviations:
/// `variance-cancellation`; intermediate results that overflow: `intermediate-overflow`; NaN and infinities:
/// `nan-and-infinity`.
pub fn instance_normalization(call: &Call) -> Answer {
    let x = call.tensor("input")?;
    let dtype = x.dtype();
    let &[instances, channels, ref inner @ ..] = x.shape() else {
        return Err(Refusal::violates(
            rule::INPUT_HAS_CHANNELS,
            format!("the input has rank {}, which this version does not allow", x.rank()),
        ));
    };
    if call.since() == 1 && inner.len() != 2 {
        return Err(Refusal::violates(
            rule::INPUT_HAS_CHANNELS,
            format!("the input has rank {}, which this version does not allow", x.rank()),
        ));
    }
    let (scale, bias) = (call.tensor("scale")?, call.tensor("B")?);
    if scale.shape() != [channels] || bias.shape() != [channels] {
        let shapes = (scale.shape(), bias.shape());
        return Err(Refusal::violates(
            rule::PARAMETER_SHAPES_FIT,
            format!("`scale` and `B` have shapes {shapes:?}, expected [{channels}]"),
        ));
    }
    let epsilon = constant(call.float("epsilon")?, dtype);
    let count = shape::product(inner)?;
    let [y] = of_outcomes(&[x, scale, bias], |read| {
        let mut y = Vec::with_capacity(x.len());
        for group in 0..if x.is_empty() { 0 } else { instances * channels } {
            let elements: Vec<Real> = (group * count..(group + 1) * count).map(|i| read(&x.number(i))).collect();
            let (scale, bias) = (read(&scale.number(group % channels)), read(&bias.number(group % channels)));
            y.extend(standardized(
                &Spread::compute(&elements, dtype),
                epsilon,
                scale,
                bias,
                rule::INTERMEDIATE_OVERFLOW,
            ));
        }
        Ok([y])
    })?;
    call.answer(x.shape().to_vec(), y)
}

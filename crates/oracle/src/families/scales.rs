//! The scales of Resize and Upsample, and the readings (interpretations) of versions that do not say how positions are
//! computed.

use super::interpolate::Filter;
use super::resample::{Axis, Nearest, Reading, Sampling, Transform};
use crate::prelude::*;

/// Multiplies an extent by a scale and rounds down. If roundings in float decide on the result, `label` names the rule
/// that leaves it open.
pub fn scaled_extent(from: usize, scale: f32, label: Label) -> Result<usize, Refusal> {
    let exact = (from as f64 * f64::from(scale)).floor();
    let rounded = f64::from((from as f32 * scale).floor());
    if exact != rounded {
        return Err(Refusal::leaves_open(
            label,
            format!("depending on rounding, {from} times {scale} is {exact} or {rounded}"),
        ));
    }
    Ok(exact as usize)
}

/// Checks the given scales: there is one for each of `count` axes (`scales-fit-axes`), none is less than `least`, and
/// all are positive and finite (`scales-in-range`).
pub fn checked_scales(scales: &[f32], count: usize, least: f32) -> Result<(), Refusal> {
    if scales.len() != count {
        return Err(Refusal::violates(
            rule::SCALES_FIT_AXES,
            format!("there are {} scales, expected one for each of {count} axes", scales.len()),
        ));
    }
    match scales.iter().find(|&&s| !(s.is_finite() && s > 0.0 && s >= least)) {
        Some(scale) => Err(Refusal::violates(
            rule::SCALES_IN_RANGE,
            format!("a scale is {scale}, which this operator does not allow"),
        )),
        None => Ok(()),
    }
}

/// Returns the elements of a one-dimensional input of floats that controls the operator (`scales-fit-axes`).
pub fn floats(tensor: &Expected, name: &str) -> Result<Vec<f64>, Refusal> {
    if tensor.rank() != 1 {
        return Err(Refusal::violates(rule::SCALES_FIT_AXES, format!("`{name}` does not have rank 1")));
    }
    if !tensor.is_certain() {
        return Err(Refusal::unsupported(format!(
            "input `{name}` decides what is computed, but the oracle accepts more than one value for it"
        )));
    }
    Ok(tensor.tensor.to_f64s())
}

/// Returns the readings of versions that say neither how positions are computed nor how they are rounded (`label`
/// leaves both open). In the preferred reading, positions have no offset, and are rounded as in the published cases.
/// The other readings have half pixels, aligned corners, or other roundings.
pub fn unnamed(axes: &[Axis], linear: bool, label: Label) -> Vec<Reading> {
    let reading = |transform, sampling| Reading { transform, sampling, axes: axes.to_vec(), label };
    let smooth = Sampling::Weighted { filter: Filter::Linear, antialias: false, exclude_outside: false };
    let whole = |transform, nearest| reading(transform, Sampling::Nearest(nearest));
    if linear {
        return [Transform::Asymmetric, Transform::HalfPixel, Transform::AlignCorners]
            .map(|t| reading(t, smooth))
            .to_vec();
    }
    vec![
        whole(Transform::Asymmetric, Nearest::CeilWhenShrinking),
        whole(Transform::Asymmetric, Nearest::Floor),
        whole(Transform::Asymmetric, Nearest::Ceil),
        whole(Transform::Asymmetric, Nearest::RoundPreferFloor),
        whole(Transform::HalfPixel, Nearest::RoundPreferFloor),
        whole(Transform::HalfPixel, Nearest::RoundPreferCeil),
        whole(Transform::TfHalfPixelForNn, Nearest::Floor),
        whole(Transform::AlignCorners, Nearest::RoundPreferFloor),
    ]
}

/// Refuses element types without an average. `label` names the rule that leaves open what it means to interpolate
/// between their elements.
pub fn averages(dtype: DType, label: Label) -> Result<(), Refusal> {
    match dtype.is_float() || dtype.is_integer() {
        true => Ok(()),
        false => Err(Refusal::leaves_open(
            label,
            format!("the specification does not say how elements of type {dtype} are interpolated"),
        )),
    }
}

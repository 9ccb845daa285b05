//! What Resize and Upsample are told: scales, and how versions read that name no positions.

use super::interpolate::Filter;
use super::resample::{Axis, Nearest, Reading, Sampling, Transform};
use crate::prelude::*;

/// The extent that a scale makes of another, rounded down. `label` leaves open what roundings in float decide.
pub fn scaled_extent(from: usize, scale: f32, label: Label) -> Result<usize, Refusal> {
    let exact = (from as f64 * f64::from(scale)).floor();
    let rounded = f64::from((from as f32 * scale).floor());
    if exact != rounded {
        return Err(Refusal::leaves_open(
            label,
            format!("roundings decide whether {from} times {scale} is {exact} or {rounded}"),
        ));
    }
    Ok(exact as usize)
}

/// The scales that are given: one for each of `count` axes (`scales-fit-axes`), none of them less than `least`, all of them positive
/// (`scales-in-range`).
pub fn checked_scales(scales: &[f32], count: usize, least: f32) -> Result<(), Refusal> {
    if scales.len() != count {
        return Err(Refusal::violates(rule::SCALES_FIT_AXES, format!("{} scales for {count} axes", scales.len())));
    }
    match scales.iter().find(|&&s| !(s.is_finite() && s > 0.0 && s >= least)) {
        Some(scale) => Err(Refusal::violates(rule::SCALES_IN_RANGE, format!("a scale is {scale}"))),
        None => Ok(()),
    }
}

/// The elements of an input of floats that steers the operator: 1-D (`scales-fit-axes`).
pub fn floats(tensor: &Expected, name: &str) -> Result<Vec<f64>, Refusal> {
    if tensor.rank() != 1 {
        return Err(Refusal::violates(rule::SCALES_FIT_AXES, format!("`{name}` is not 1-D")));
    }
    if !tensor.is_certain() {
        return Err(Refusal::unsupported(format!("input `{name}` steers the operator and is not certain")));
    }
    Ok(tensor.tensor.to_f64s())
}

/// How versions read that name neither positions nor roundings (`label` leaves them open): positions without an offset, rounded as published
/// cases have it, are preferred; half pixels, corners, and other roundings are known too.
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

/// Elements that have no average: what interpolating between them means is open (`label`).
pub fn averages(dtype: DType, label: Label) -> Result<(), Refusal> {
    match dtype.is_float() || dtype.is_integer() {
        true => Ok(()),
        false => Err(Refusal::leaves_open(label, format!("what lies between two elements of {dtype} is not said"))),
    }
}

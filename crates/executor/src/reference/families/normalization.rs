//! What normalizations share: mean and variance of elements that come together, and the steps that follow.
//!
//! The variance is that of the population, the mean of the squared deviations. Some function bodies take the difference of the mean of the
//! squares and the square of the mean instead, which cancels: what that gives is a reading of its own ([`Spread::by_moments`]).

use crate::reference::accumulation;
use crate::reference::families::activation::multiply_add;
use crate::reference::families::reduce::either;
use crate::reference::prelude::*;

/// The first behaviour that leaves an element of these tensors open.
pub fn open(tensors: &[&Expected]) -> Option<Label> {
    tensors.iter().find_map(|t| t.latitude.first().map(|(_, latitude)| latitude.label))
}

/// The number, left open where `label` says so.
pub fn opened(number: Number, label: Option<Label>) -> Number {
    label.map_or(number, |label| number.undecided(label))
}

/// Bits that tell how exact a type is.
fn digits(dtype: DType) -> u32 {
    dtype.float_format().map_or(0, |f| f.precision())
}

/// The least exact of these types.
pub fn coarsest(dtypes: &[DType]) -> DType {
    dtypes.iter().copied().min_by_key(|&d| digits(d)).unwrap_or(DType::Float)
}

/// An element cast to the type in which a formula is computed, or left as exact as it is.
pub fn staged(x: Real, dtype: DType) -> Real {
    let kept = x.at_precision(dtype);
    if digits(x.dtype) <= digits(dtype) { kept } else { kept.hull(x.to_dtype(dtype)) }
}

/// What a formula comes to, cast to the type of the steps that follow, or left as it is.
pub fn returned(x: Real, dtype: DType) -> Real {
    if x.dtype == dtype { x } else { x.at_precision(dtype).hull(x.to_dtype(dtype)) }
}

/// A constant of float32 (an attribute), cast to the type of the formula or not.
pub fn constant(value: f32, dtype: DType) -> Real {
    let exact = Real::constant(f64::from(value), dtype);
    exact.hull(exact.nearest())
}

/// A sum divided by the count of its terms, before or after adding them up. Where it is kept in a wider type, sum and quotient are rounded to that of the terms, or not.
pub fn mean_of(sum: Accumulator, dtype: DType) -> Real {
    let count = sum.count() as f64;
    let of_shares = sum.clone().scaled(1.0 / count).finish_kept().widened(1.0);
    let kept = sum.finish_kept();
    let mean = kept.over(Real::constant(count, kept.dtype)).hull(of_shares);
    if kept.dtype == dtype { mean } else { mean.at_precision(dtype).widened(1.0) }
}

/// Mean and variance of a group of elements.
pub struct Spread {
    /// The mean.
    pub mean: Real,
    /// The mean of the squared deviations.
    pub variance: Real,
    /// The mean of the squares less the square of the mean.
    pub by_moments: Real,
    /// Whether one of them may leave the range of the type, though no element is infinite: who computes in a wider type, or with scaled
    /// elements, goes on with other numbers.
    pub overflows: bool,
}

impl Spread {
    /// Of elements that are not none.
    pub fn of(x: &[Real], dtype: DType) -> Spread {
        let mean_by = |f: &dyn Fn(Real) -> Real| {
            let mut sum = Accumulator::new(dtype);
            x.iter().for_each(|&x| sum.add(f(x)));
            mean_of(sum, dtype)
        };
        let square = |x: Real| x.abs().times(x.abs());
        // The mean may also run along with the elements, rounded at each of them.
        let magnitude: f64 = x.iter().map(|x| x.low.abs().max(x.high.abs())).sum();
        let slack = magnitude * accumulation(dtype).float_format().map_or(0.0, |f| f.ulp(1.0) / 2.0);
        let mean = mean_by(&|x| x);
        let mean = match (mean.low - slack).is_finite() && (mean.high + slack).is_finite() && x.len() > 1 {
            true => Real { low: mean.low - slack, high: mean.high + slack, ..mean },
            false => mean,
        };
        let variance = mean_by(&|x| square(x.minus(mean))).not_below(0.0);
        let by_moments = mean_by(&square).minus(square(mean));
        let overflows = overflow(x, &[mean, variance, by_moments]);
        Spread { mean, variance, by_moments, overflows }
    }
}

/// Whether finite elements come to something that may not be finite.
pub fn overflow(x: &[Real], made: &[Real]) -> bool {
    let finite = |x: &Real| x.low.is_finite() && x.high.is_finite() && !x.nan;
    x.iter().all(finite) && !made.iter().all(finite)
}

/// `sqrt(variance + epsilon)`
pub fn deviation(variance: Real, epsilon: Real) -> Real {
    Number::from(variance.plus(epsilon)).sqrt().real()
}

/// `1 / x`
pub fn reciprocal(x: Real) -> Real {
    Real::constant(1.0, x.dtype).over(x)
}

/// `(x - mean) / deviation`, divided or multiplied by the reciprocal.
pub fn normalized(x: Real, mean: Real, deviation: Real) -> Real {
    let difference = x.minus(mean);
    difference.over(deviation).hull(difference.times(reciprocal(deviation)))
}

/// `x * scale + bias`, fused or not.
pub fn scaled(x: Real, scale: Real, bias: Option<Real>) -> Real {
    match bias {
        Some(bias) => multiply_add(x.into(), scale.into(), bias.into()).real(),
        None => x.times(scale),
    }
}

/// `(x - mean) / deviation * scale + bias`, step by step, or with `scale / deviation` and what is added worked out first. What the latter
/// gives where it overflows is left open (`label`).
pub struct Standardization {
    mean: Real,
    deviation: Real,
    reciprocal: Real,
    scale: Real,
    bias: Real,
    factor: Real,
    offset: Real,
    label: Label,
}

impl Standardization {
    /// With these parameters.
    pub fn new(mean: Real, deviation: Real, scale: Real, bias: Real, label: Label) -> Standardization {
        let reciprocal = reciprocal(deviation);
        let factor = loose(scale.over(deviation).hull(scale.times(reciprocal)));
        let offset = bias.minus(mean.times(factor));
        Standardization { mean, deviation, reciprocal, scale, bias, factor, offset, label }
    }

    /// Of an element.
    pub fn of(&self, x: Real) -> Number {
        let difference = x.minus(self.mean);
        let normalized = difference.over(self.deviation).hull(difference.times(self.reciprocal));
        let by_steps = scaled(loose(normalized), self.scale, Some(self.bias));
        let factored = scaled(difference, self.factor, Some(self.bias));
        let folded = scaled(x, self.factor, Some(self.offset));
        either(by_steps.hull(factored), folded, self.label)
    }
}

/// In float64 steps on points are exact to the last bit; the order of multiplications is not said.
fn loose(x: Real) -> Real {
    if x.dtype == DType::Double { x.widened(1.0) } else { x }
}

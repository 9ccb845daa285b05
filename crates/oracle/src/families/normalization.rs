//! What normalizations share: types and constants, means, and the steps that follow (see [`super::spread`] for mean and variance).

use crate::accumulation;
use crate::families::activation::multiply_add;
use crate::families::spread::Spread;
use crate::prelude::*;

/// The first behaviour that leaves an element of these tensors open.
pub fn open(tensors: &[&Expected]) -> Option<Label> {
    tensors.iter().find_map(|t| t.latitude.first().map(|(_, latitude)| latitude.label))
}

/// The number, left open where `label` says so.
pub fn opened(number: Number, label: Option<Label>) -> Number {
    label.map_or(number, |label| number.undecided(label))
}

/// What a formula gives of these tensors, whose elements it reads as it is told: as they are preferred. Where some have other outcomes, what
/// it gives of all of them at once is accepted too, of the elements that depend on them.
pub fn of_outcomes<const N: usize>(
    tensors: &[&Expected],
    formula: impl Fn(fn(&Number) -> Real) -> Result<[Vec<Number>; N], Refusal>,
) -> Result<[Vec<Number>; N], Refusal> {
    let mut preferred = formula(Number::real)?;
    if let Some(label) = open(tensors) {
        let widest = formula(Number::widest)?;
        for (ours, all) in preferred.iter_mut().flatten().zip(widest.into_iter().flatten()) {
            *ours = ours.or_widest(all, label);
        }
    }
    Ok(preferred)
}

/// The same of the elements of a row.
pub fn of_row(row: &[Number], formula: impl Fn(&[Number]) -> Vec<Number>) -> Vec<Number> {
    let Some(latitude) = row.iter().find_map(|x| x.latitude) else { return formula(row) };
    let [preferred, widest] = [Number::real, Number::widest]
        .map(|read| formula(&row.iter().map(|x| Number::from(read(x))).collect::<Vec<_>>()));
    preferred.into_iter().zip(widest).map(|(ours, all)| ours.or_widest(all, latitude.label)).collect()
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

/// A sum divided by the count of its terms, before or after adding them up. Where it is kept in a wider type, sum and quotient are rounded to that of
/// the terms, or not.
pub fn mean_of(sum: Accumulator, dtype: DType) -> Real {
    let count = sum.count() as f64;
    let of_shares = sum.clone().scaled(1.0 / count).finish_kept().widened(1.0);
    let kept = sum.finish_kept();
    let mean = kept.over(Real::constant(count, kept.dtype)).hull(of_shares);
    if kept.dtype == dtype { mean } else { mean.at_precision(dtype).widened(1.0) }
}

/// Whether finite elements come to something that may not be finite.
pub fn overflow(x: &[Real], made: &[Real]) -> bool {
    let finite = |x: &Real| x.low.is_finite() && x.high.is_finite() && !x.nan;
    x.iter().all(finite) && !made.iter().all(finite)
}

/// The power of two by which elements are divided, so that no sum of their squares leaves the range of the type.
pub fn power_of_scaling(x: &[Real], dtype: DType) -> i32 {
    let largest = x.iter().map(|x| x.low.abs().max(x.high.abs())).fold(0.0, f64::max);
    let exponent = |x: f64| libm::frexp(x).1;
    let room = dtype.float_format().map_or(0, |f| exponent(f.max_finite())) - exponent(x.len() as f64) - 4;
    exponent(largest) - room.div_euclid(2)
}

/// `sqrt(variance + epsilon)`
pub fn deviation(variance: Real, epsilon: Real) -> Real {
    Number::from(variance.plus(epsilon)).sqrt().real()
}

/// `1 / x`
pub fn reciprocal(x: Real) -> Real {
    Real::constant(1.0, x.dtype).over(x)
}

/// `x * scale + bias`, fused or not.
pub fn scaled(x: Real, scale: Real, bias: Option<Real>) -> Real {
    match bias {
        Some(bias) => multiply_add(x.into(), scale.into(), bias.into()).real(),
        None => x.times(scale),
    }
}

/// `(x - mean) / deviation * scale + bias`, step by step, or with `scale / deviation` and what is added worked out first. Either may overflow
/// on the way (`label`).
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
        // In 16 bits the products would cancel to nothing: who works the offset out first keeps it in float.
        let kept = |x: Real| x.at_precision(accumulation(x.dtype));
        let offset = kept(bias).minus(kept(mean).times(kept(factor)));
        Standardization { mean, deviation, reciprocal, scale, bias, factor, offset, label }
    }

    /// Of an element.
    pub fn of(&self, x: Real) -> Number {
        let difference = x.minus(self.mean);
        let normalized = difference.over(self.deviation).hull(difference.times(self.reciprocal));
        let by_steps = scaled(loose(normalized), self.scale, Some(self.bias));
        let factored = scaled(difference, self.factor, Some(self.bias));
        let dtype = self.offset.dtype;
        let folded = scaled(x.at_precision(dtype), self.factor.at_precision(dtype), Some(self.offset));
        let folded = if dtype == x.dtype { folded } else { returned(folded, x.dtype) };
        let given = [x, self.mean, self.deviation, self.scale, self.bias];
        of_ways(
            &[by_steps, factored, folded],
            self.exact(x),
            overflow(&given, &[by_steps, factored, folded]),
            self.label,
        )
    }

    /// The formula computed in float64.
    fn exact(&self, x: Real) -> Real {
        let wide = |x: Real| x.at_precision(DType::Double);
        let normalized = wide(x).minus(wide(self.mean)).over(wide(self.deviation));
        let result = normalized.times(wide(self.scale)).plus(wide(self.bias));
        result.at_precision(x.dtype).widened(1.0)
    }
}

/// The elements of a group, standardized by their own mean and variance. What overflows on the way: `label`.
pub fn standardized(spread: &Spread, epsilon: Real, scale: Real, bias: Real, label: Label) -> Vec<Number> {
    let formula = Standardization::new(spread.mean_of_elements(), spread.deviation(epsilon), scale, bias, label);
    let element = |(at, &x): (usize, &Real)| {
        let strays = spread.strays(at, false).into_iter().map(|stray| scaled(stray, scale, Some(bias)));
        strays.fold(formula.of(x), |y, stray| y.or(stray.into(), label))
    };
    spread.elements().iter().enumerate().map(element).collect()
}

/// What is right of ways to compute a number: all of them. Where one overflows of finite terms, and the exact result does not, that is what
/// the others give, or the exact one; what comes of infinities are other outcomes (`label`): one of them, or NaN.
fn of_ways(ways: &[Real], exact: Real, overflows: bool, label: Label) -> Number {
    let finite = |x: &Real| x.low.is_finite() && x.high.is_finite() && !x.nan;
    let together = |ways: &mut dyn Iterator<Item = Real>| ways.reduce(Real::hull).unwrap_or(exact);
    if !overflows || !finite(&exact) {
        return together(&mut ways.iter().copied()).into();
    }
    let strays: Vec<&Real> = ways.iter().filter(|way| !finite(way)).collect();
    let mut number = Number::from(together(&mut ways.iter().filter(|way| finite(way)).copied()));
    for way in strays {
        let ends = [way.low, way.high].into_iter().filter(|x| x.is_infinite());
        for value in ends.chain(way.nan.then_some(f64::NAN)) {
            number = number.or(Number::constant(value, exact.dtype), label);
        }
        // Where it is one end that strays, what does not overflow is as far from the exact result as the other end is.
        let reach = match (way.low.is_finite(), way.high.is_finite()) {
            (true, false) => exact.mid - way.low,
            (false, true) => way.high - exact.mid,
            _ => continue,
        };
        number = number
            .or_computed(Real { low: exact.mid - reach.max(0.0), high: exact.mid + reach.max(0.0), ..exact }, label);
    }
    number
}

/// In float64 steps on points are exact to the last bit; the order of multiplications is not said.
fn loose(x: Real) -> Real {
    if x.dtype == DType::Double { x.widened(1.0) } else { x }
}

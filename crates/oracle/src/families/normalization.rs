//! Shared parts of the normalizations: types and constants, means, and the steps after mean and variance (for these two
//! see [`super::spread`]).

use crate::accumulation;
use crate::families::activation::multiply_add;
use crate::prelude::*;

/// Returns the first rule that leaves an element of these tensors open, if any.
pub fn open_label(tensors: &[&Expected]) -> Option<Label> {
    tensors.iter().find_map(|t| t.first_open()).map(|latitude| latitude.label)
}

/// Accepts any value in place of the number if `label` names a rule that leaves it open.
pub fn opened(number: Number, label: Option<Label>) -> Number {
    label.map_or(number, |label| number.undecided(label))
}

/// Evaluates a formula on the preferred elements of these tensors; the formula reads an element with the function that
/// it receives. If some elements have other outcomes, the formula is also evaluated on all outcomes at once. What this
/// second evaluation accepts beyond the preferred results becomes an outcome.
pub fn of_outcomes<const N: usize>(
    tensors: &[&Expected],
    formula: impl Fn(fn(&Number) -> Real) -> Result<[Vec<Number>; N], Refusal>,
) -> Result<[Vec<Number>; N], Refusal> {
    let mut preferred = formula(Number::real)?;
    if let Some(label) = open_label(tensors) {
        let widest = formula(Number::widest)?;
        for (ours, all) in preferred.iter_mut().flatten().zip(widest.into_iter().flatten()) {
            *ours = ours.or(all, label);
        }
    }
    Ok(preferred)
}

/// Does the same as [`of_outcomes`] for the elements of a row.
pub fn of_row(row: &[Number], formula: impl Fn(&[Number]) -> Vec<Number>) -> Vec<Number> {
    let Some(latitude) = row.iter().find_map(|x| x.latitude) else { return formula(row) };
    let [preferred, widest] = [Number::real, Number::widest]
        .map(|read| formula(&row.iter().map(|x| Number::from(read(x))).collect::<Vec<_>>()));
    preferred.into_iter().zip(widest).map(|(ours, all)| ours.or(all, latitude.label)).collect()
}

/// Returns the precision of a type in bits.
fn digits(dtype: DType) -> u32 {
    dtype.float_format().map_or(0, |f| f.precision())
}

/// Returns the type with the least precision.
pub fn coarsest(dtypes: &[DType]) -> DType {
    dtypes.iter().copied().min_by_key(|&d| digits(d)).unwrap_or(DType::Float)
}

/// Brings an element into a formula that is computed in `dtype`. An implementation may cast it to this type, or keep it
/// as exact as it is.
pub fn staged(x: Real, dtype: DType) -> Real {
    let kept = x.at_precision(dtype);
    if digits(x.dtype) <= digits(dtype) { kept } else { kept.hull(x.to_dtype(dtype)) }
}

/// Brings the result of a formula into the steps that follow. An implementation may cast it to their type, or keep it
/// as it is.
pub fn returned(x: Real, dtype: DType) -> Real {
    if x.dtype == dtype { x } else { x.at_precision(dtype).hull(x.to_dtype(dtype)) }
}

/// Brings a float32 constant (an attribute) into a formula. An implementation may cast it to the type of the formula,
/// or keep it as it is.
pub fn constant(value: f32, dtype: DType) -> Real {
    let exact = Real::constant(f64::from(value), dtype);
    exact.hull(exact.nearest())
}

/// Returns the mean of the terms of a sum. An implementation divides each term, or the sum, by the number of terms. If
/// the sum is kept in a wider type, sum and quotient are rounded to the type of the terms, or not.
pub fn mean_of(sum: Accumulator, dtype: DType) -> Real {
    let count = sum.count() as f64;
    let of_shares = sum.clone().scaled(1.0 / count).finish_kept().widened(1.0);
    let kept = sum.finish_kept();
    let mean = kept.over(Real::constant(count, kept.dtype)).hull(of_shares);
    if kept.dtype == dtype { mean } else { mean.at_precision(dtype).widened(1.0) }
}

/// Returns whether the elements `x` are finite and some of the numbers computed from them (`made`) may not be.
pub fn overflow(x: &[Real], made: &[Real]) -> bool {
    let finite = |x: &Real| x.low.is_finite() && x.high.is_finite() && !x.nan;
    x.iter().all(finite) && !made.iter().all(finite)
}

/// Returns the exponent of the power of two by which elements are divided, so that no sum of their squares leaves the
/// range of the type.
pub fn power_of_scaling(x: &[Real], dtype: DType) -> i32 {
    let largest = x.iter().map(|x| x.low.abs().max(x.high.abs())).fold(0.0, f64::max);
    let exponent = |x: f64| libm::frexp(x).1;
    let room = dtype.float_format().map_or(0, |f| exponent(f.max_finite())) - exponent(x.len() as f64) - 4;
    exponent(largest) - room.div_euclid(2)
}

/// Computes `sqrt(variance + epsilon)`.
pub fn deviation(variance: Real, epsilon: Real) -> Real {
    Number::from(variance.plus(epsilon)).sqrt().real()
}

/// Computes `1 / x`.
pub fn reciprocal(x: Real) -> Real {
    Real::constant(1.0, x.dtype).over(x)
}

/// Computes `x * scale + bias`. An implementation may fuse the multiplication and the addition.
pub fn scaled(x: Real, scale: Real, bias: Option<Real>) -> Real {
    match bias {
        Some(bias) => multiply_add(x.into(), scale.into(), bias.into()).real(),
        None => x.times(scale),
    }
}

/// The formula `(x - mean) / deviation * scale + bias`. An implementation computes it step by step, or computes the
/// factor `scale / deviation` first, or this factor and the offset `bias - mean * factor`. Each way may overflow
/// (`label`).
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
    /// Prepares the formula for these parameters.
    pub fn new(mean: Real, deviation: Real, scale: Real, bias: Real, label: Label) -> Standardization {
        let reciprocal = reciprocal(deviation);
        let factor = loose(scale.over(deviation).hull(scale.times(reciprocal)));
        // If an implementation computes the offset in advance, it adds the offset to a product later, and the two may
        // almost cancel. For a 16-bit type it keeps the offset in float, because an offset of 16 bits would leave no
        // correct digits.
        let kept = |x: Real| x.at_precision(accumulation(x.dtype));
        let offset = kept(bias).minus(kept(mean).times(kept(factor)));
        Standardization { mean, deviation, reciprocal, scale, bias, factor, offset, label }
    }

    /// Applies the formula to an element.
    pub fn apply(&self, x: Real) -> Number {
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

    /// Computes the formula in float64.
    fn exact(&self, x: Real) -> Real {
        let wide = |x: Real| x.at_precision(DType::Double);
        let normalized = wide(x).minus(wide(self.mean)).over(wide(self.deviation));
        let result = normalized.times(wide(self.scale)).plus(wide(self.bias));
        result.at_precision(x.dtype).widened(1.0)
    }
}

/// Accepts several ways to compute a number. If some of them overflow on finite terms and the exact result does not,
/// the results of the other ways are accepted, or the exact result if there are no other ways. The infinities and NaN
/// of the ways that overflow are other outcomes (`label`).
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
        // If only one end of the interval overflows, a finite result may be as far from the exact result as the other
        // end is.
        let reach = match (way.low.is_finite(), way.high.is_finite()) {
            (true, false) => exact.mid - way.low,
            (false, true) => way.high - exact.mid,
            _ => continue,
        };
        number = number.or(
            Real { low: exact.mid - reach.max(0.0), high: exact.mid + reach.max(0.0), ..exact }.overflowing(),
            label,
        );
    }
    number
}

/// Widens a float64 by one unit in the last place, because an implementation may multiply in another order. For float64
/// operands with a single accepted value, a step would otherwise accept only the correctly rounded result.
fn loose(x: Real) -> Real {
    if x.dtype == DType::Double { x.widened(1.0) } else { x }
}

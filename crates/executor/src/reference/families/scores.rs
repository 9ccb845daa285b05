//! Attention in steps: scores of queries and keys, their weights, and the weighted sums of values.

use plumbline_tensor::{FloatFormat, Saturation};

use crate::reference::accumulation;
use crate::reference::families::quantize::or_at_precision;
use crate::reference::prelude::*;

/// A factor of a formula that implementations compute in float, as attributes are, and convert to the elements' type: exact where both hold it.
pub fn factor(value: f64, given: bool, dtype: DType) -> Number {
    let held = |dtype| FloatFormat::of(dtype).is_some_and(|f| f.decode(f.encode(value, Saturation::None)) == value);
    if given && held(dtype) && held(DType::Float) {
        return Real::constant(value, dtype).into();
    }
    let in_float = Real::constant(value, DType::Float).widened(2.0).at_precision(dtype);
    in_float.hull(Real::constant(value, dtype).widened(2.0)).into()
}

/// The product of a query and a key, each scaled by the root of `scale` before or the product by all of it afterwards. What overflows in one
/// way alone is left open (`label`).
pub fn score(query: &[Number], key: &[Number], scale: (f64, bool), dtype: DType, label: Label) -> Number {
    let root = factor(scale.0.sqrt(), scale.1, dtype);
    let (mut before, mut after) = (Accumulator::new(dtype), Accumulator::new(dtype));
    for (&q, &k) in query.iter().zip(key) {
        before.add_product((q * root).real(), (k * root).real());
        after.add_product(q.real(), k.real());
    }
    let whole = factor(scale.0, scale.1, dtype);
    let before = Number::from(before.finish_inside());
    let after = Number::from(after.finish_inside()) * whole;
    let open = query.iter().chain(key).find_map(|x| x.latitude);
    let result = or_at_precision(before, after, label);
    open.map_or(result, |l| result.undecided(l.label))
}

/// A number converted to the precision of a step: also what is computed more precisely than that is right.
pub fn at_least(precision: DType, x: Number) -> Number {
    if precision == x.dtype() { x } else { x.to_float(precision).hull(x.at_precision(precision)) }
}

/// The weights of a row of scores: the power of each less the largest, over their sum; those of `masked` are 0. Computed at `precision`, and
/// rounded to `dtype`. Of scores that are not finite they are left open (`label`).
pub fn weights(scores: &[Number], masked: &[bool], precision: DType, dtype: DType, label: Label) -> Vec<Number> {
    let row: Vec<Number> = scores.iter().map(|&x| at_least(precision, x)).collect();
    let open = row.iter().zip(masked).filter(|(_, masked)| !**masked);
    let largest = open.clone().map(|(x, _)| x.mid()).fold(f64::NEG_INFINITY, f64::max);
    let finite = |x: &Number| x.latitude.is_none() && x.real().low.is_finite() && x.real().high.is_finite();
    if !open.clone().all(|(x, _)| finite(x)) || !largest.is_finite() {
        return vec![Number::constant(0.0, dtype).undecided(label); scores.len()];
    }
    // Any shift cancels, so that an error of the largest score itself does not count.
    let power = |(x, masked): (&Number, &bool)| if *masked { x.like(0.0) } else { (*x - x.like(largest)).exp() };
    let powers: Vec<Number> = row.iter().zip(masked).map(power).collect();
    let mut sum = Accumulator::new(precision);
    powers.iter().for_each(|p| sum.add(p.real()));
    let sum = Number::from(sum.finish_inside());
    let weight = |p: &Number| {
        let share = if p.is_point() && p.mid() == 0.0 { *p } else { *p / sum };
        let share = share.map_real(|x| x.within(0.0, 1.0));
        if precision == dtype { share } else { share.to_float(dtype) }
    };
    powers.iter().map(weight).collect()
}

/// The sum of values, each times its weight, in the weights' type. Values of another type are converted, or the weights are. Of values that
/// are not finite it is left open (`label`).
pub fn weighted(weights: &[Number], values: &[Number], dtype: DType, label: Label) -> Number {
    let of_values = values.first().map_or(dtype, Number::dtype);
    let coarser = |a: DType, b: DType| {
        let precision = |d: DType| FloatFormat::of(d).map_or(0, FloatFormat::precision);
        if precision(a) < precision(b) { a } else { b }
    };
    let working = coarser(dtype, of_values);
    let mut sum = Accumulator::keeping(accumulation(working), working);
    for (&weight, &value) in weights.iter().zip(values) {
        let (w, v) = match of_values == dtype {
            true => (weight, value),
            false => (weight.hull(weight.to_float(working)), value.at_precision(working).hull(value.to_float(working))),
        };
        sum.add_product(w.at_precision(working).real(), v.at_precision(working).real());
    }
    let result = Number::from(sum.finish()).to_float(dtype);
    let open = weights.iter().find_map(|w| w.latitude).map(|l| l.label);
    let stray = values.iter().any(|v| !v.mid().is_finite() || v.latitude.is_some());
    match (open, stray) {
        (Some(label), _) => result.undecided(label),
        (None, true) => result.undecided(label),
        (None, false) => result,
    }
}

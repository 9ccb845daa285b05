//! Attention in steps: scores of queries and keys, their weights, and the weighted sums of values.

use plumbline_tensor::{FloatFormat, Saturation};

use crate::accumulation;
use crate::families::normalization::of_row;
use crate::families::quantize::or_at_precision;
use crate::prelude::*;

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
    let width = query.len();
    let of = |row: &[Number]| vec![product(&row[..width], &row[width..], scale, dtype, label)];
    of_row(&[query, key].concat(), of).swap_remove(0)
}

fn product(query: &[Number], key: &[Number], scale: (f64, bool), dtype: DType, label: Label) -> Number {
    let root = factor(scale.0.sqrt(), scale.1, dtype);
    let (mut before, mut after) = (Accumulator::new(dtype), Accumulator::new(dtype));
    for (&q, &k) in query.iter().zip(key) {
        before.add_product((q * root).real(), (k * root).real());
        after.add_product(q.real(), k.real());
    }
    let whole = factor(scale.0, scale.1, dtype);
    let score = or_at_precision(before.finish_inside().into(), Number::from(after.finish_inside()) * whole, label);
    // In a wider type the steps stay finite.
    let exact = query.iter().zip(key).map(|(q, k)| q.mid() * k.mid()).sum::<f64>() * scale.0;
    match score {
        _ if score.mid().is_finite() || !exact.is_finite() => score,
        _ if score.is_nan() => {
            Number::from(Real::constant(exact, dtype).widened(2.0 * query.len() as f64)).or_other(score, label)
        }
        _ => score.map_real(|x| Real { mid: exact, ..x }),
    }
}

/// A number converted to the precision of a step: also what is computed more precisely than that is right.
pub fn at_least(precision: DType, x: Number) -> Number {
    let (stored, kept) = (x.to_float(precision), x.at_precision(precision));
    // What only the step's type has no room for stays finite, where it is not stored.
    let beyond = stored.mid().is_infinite() && kept.mid().is_finite();
    if precision == x.dtype() {
        x
    } else if beyond {
        kept.hull(stored)
    } else {
        stored.hull(kept)
    }
}

/// How a row of scores is made weights.
#[derive(Clone, Copy, Debug)]
pub struct Weighing {
    /// The type in which weights are computed.
    pub precision: DType,
    /// The type that they are rounded to.
    pub dtype: DType,
    /// What becomes of scores that are not finite: NaN, and zero in place of some.
    pub infinite: Label,
    /// What becomes of a row in which nothing is left: zero, or NaN.
    pub nothing: Label,
}

impl Weighing {
    /// The weights of a row of scores: the power of each less the largest, over their sum; those of `masked` are 0.
    pub fn weights(&self, scores: &[Number], masked: &[bool]) -> Vec<Number> {
        of_row(scores, |row| {
            let row: Vec<Number> = row.iter().map(|&x| at_least(self.precision, x)).collect();
            let weights = self.of_certain(&row, masked).into_iter();
            let stored = |x: Number| if self.precision == self.dtype { x } else { x.to_float(self.dtype) };
            weights.map(stored).collect()
        })
    }

    fn value(&self, x: f64) -> Number {
        Number::constant(x, self.precision)
    }

    fn of_certain(&self, row: &[Number], masked: &[bool]) -> Vec<Number> {
        let reals: Vec<Real> = row.iter().map(Number::real).collect();
        let seen = |test: &dyn Fn(&Real) -> bool| reals.iter().zip(masked).any(|(x, masked)| !masked && test(x));
        // What only the type has no room for is finite in a wider one.
        let certain = |x: &Real, infinity: f64| x.low == infinity && x.high == infinity && x.mid == infinity;
        let vanishes = |x: &Real| certain(x, f64::NEG_INFINITY) && !x.nan;
        if masked.iter().all(|&masked| masked) {
            return vec![self.value(0.0).or(self.value(f64::NAN), self.nothing); row.len()];
        }
        if !seen(&|x| !vanishes(x)) {
            return vec![self.value(f64::NAN).or(self.value(0.0), self.nothing); row.len()];
        }
        // A NaN or an infinity makes the row NaN, where what is masked or divided by infinity may also be left at zero.
        if seen(&|x| x.low.is_nan()) || seen(&|x| certain(x, f64::INFINITY)) {
            let undefined = seen(&|x| x.low.is_nan());
            let weight = |(x, masked): (&Real, &bool)| match (*masked, undefined || certain(x, f64::INFINITY)) {
                (true, _) => self.value(0.0).or(self.value(f64::NAN), self.infinite),
                (false, true) => self.value(f64::NAN),
                (false, false) => self.value(f64::NAN).or(self.value(0.0), self.infinite),
            };
            return reals.iter().zip(masked).map(weight).collect();
        }
        // What only some ways to compute a score make infinite is finite by the others.
        let stored = |x: &Real| x.nearest();
        let beyond = |x: &Real| x.low.is_infinite() || x.high.is_infinite();
        let unsure = |x: &Real| !vanishes(x) && (x.nan || beyond(x) || beyond(&stored(x)));
        let finite = |x: &Number| {
            let settled = |x: Real| {
                let end = |end: f64| if end.is_finite() { end } else { x.mid.clamp(-f64::MAX, f64::MAX) };
                Real { low: end(x.low), high: end(x.high), mid: end(x.mid), nan: false, ..x }
            };
            if unsure(&x.real()) { x.map_real(settled) } else { *x }
        };
        let settled: Vec<Number> = row.iter().map(finite).collect();
        let without = |test: &dyn Fn(&Real) -> bool| -> Vec<bool> {
            masked.iter().zip(&reals).map(|(masked, x)| *masked || test(x)).collect()
        };
        let mut weights = self.of_finite(&settled, &without(&vanishes));
        let below = |x: &Real| stored(x).low == f64::NEG_INFINITY;
        if seen(&|x| unsure(x) && below(x)) {
            let smaller = self.of_finite(&settled, &without(&below));
            weights = weights.into_iter().zip(smaller).map(|(x, other)| x.or_other(other, self.infinite)).collect();
        }
        if seen(&|x| unsure(x) && (x.nan || stored(x).high == f64::INFINITY)) {
            weights = weights.into_iter().map(|x| x.or(self.value(f64::NAN), self.infinite)).collect();
        }
        weights
    }

    fn of_finite(&self, row: &[Number], masked: &[bool]) -> Vec<Number> {
        let open = row.iter().zip(masked).filter(|(_, masked)| !**masked);
        let largest = open.map(|(x, _)| x.mid()).fold(f64::NEG_INFINITY, f64::max);
        if largest == f64::NEG_INFINITY {
            return vec![self.value(f64::NAN); row.len()];
        }
        // Any shift cancels, so that an error of the largest score itself does not count.
        let power = |(x, masked): (&Number, &bool)| if *masked { x.like(0.0) } else { (*x - x.like(largest)).exp() };
        let powers: Vec<Number> = row.iter().zip(masked).map(power).collect();
        let mut sum = Accumulator::new(self.precision);
        powers.iter().for_each(|p| sum.add(p.real()));
        let sum = Number::from(sum.finish_inside());
        let weight = |p: &Number| {
            let share = if p.is_point() && p.mid() == 0.0 { *p } else { *p / sum };
            share.map_real(|x| x.within(0.0, 1.0))
        };
        powers.iter().map(weight).collect()
    }
}

/// The sum of values, each times its weight, in the weights' type. Values of another type are converted, or the weights are. What comes of
/// values that are not finite, and of infinities that have no weight: `label`.
pub fn weighted(weights: &[Number], values: &[Number], masked: &[bool], dtype: DType, label: Label) -> Number {
    let count = weights.len();
    let of = |row: &[Number]| vec![sum_of_certain(&row[..count], &row[count..], masked, dtype, label)];
    let undefined = weights.iter().any(|w| w.is_nan() && w.latitude.is_none());
    let maybe_undefined = weights.iter().any(Number::is_nan);
    let sum = of_row(&[weights, values].concat(), of).swap_remove(0);
    let value = |x: f64| Number::constant(x, dtype);
    // A weight of NaN is that of a whole row.
    if undefined {
        return value(f64::NAN);
    }
    // Of a row that has nothing but NaN or 0 for weights, too.
    if maybe_undefined {
        return value(f64::NAN).or(value(0.0), label);
    }
    if weights.iter().all(|w| w.latitude.is_none()) {
        return sum;
    }
    // Of scores that are not finite the weights are others, or none, where an implementation shifts, scales or caps in its own way: still
    // they are shares, so that the sum is a mean of the values, or zero.
    let finite = values.iter().map(Number::mid).filter(|v| v.is_finite());
    let (low, high) = finite.fold((0.0f64, 0.0f64), |(low, high), v| (low.min(v), high.max(v)));
    let mean = Real { low, mid: 0.0, high, ..Real::constant(0.0, dtype) }.widened(2.0);
    let infinite = values.iter().map(Number::mid).filter(|v| v.is_infinite());
    infinite.chain([f64::NAN]).fold(sum.or_computed(mean, label), |sum, v| sum.or_other(value(v), label))
}

fn sum_of_certain(weights: &[Number], values: &[Number], masked: &[bool], dtype: DType, label: Label) -> Number {
    let of_values = values.first().map_or(dtype, Number::dtype);
    let coarser = |a: DType, b: DType| {
        let precision = |d: DType| FloatFormat::of(d).map_or(0, FloatFormat::precision);
        if precision(a) < precision(b) { a } else { b }
    };
    let working = coarser(dtype, of_values);
    let mut sum = Accumulator::keeping(accumulation(working), working);
    // Infinities to either side: those that have a weight for sure, and those that may have none.
    let (mut certain, mut possible, mut undefined, mut skipped) = ([false; 2], [false; 2], false, false);
    for ((&weight, &value), &masked) in weights.iter().zip(values).zip(masked) {
        let (w, v) = match of_values == dtype {
            true => (weight, value),
            false => (weight.hull(weight.to_float(working)), value.at_precision(working).hull(value.to_float(working))),
        };
        let (w, v) = (w.at_precision(working).real(), v.at_precision(working).real());
        if v.low.is_finite() && v.high.is_finite() && !v.nan {
            sum.add_product(w, v);
            skipped |= w.nan;
        } else if masked {
            skipped = true;
        } else if v.low != v.high && !v.low.is_nan() {
            // Infinite where it is converted, and itself where the weight is.
            sum.add_product(w, value.at_precision(working).real());
            possible[usize::from(v.mid < 0.0)] = true;
            skipped |= w.low <= 0.0;
        } else if v.low.is_nan() {
            undefined = true;
        } else {
            let side = usize::from(v.low < 0.0);
            certain[side] |= w.low > 0.0;
            // Also a weight that its type has no room for is one.
            possible[side] |= w.low <= 0.0;
            skipped |= w.low <= 0.0;
        }
    }
    let value = |x: f64| Number::constant(x, dtype);
    // Of two types the sum is one of the output's, or of the coarser one.
    let finite = if of_values == dtype { sum.finish() } else { sum.finish_inside() };
    let finite = Number::from(finite).to_float(dtype);
    if undefined || certain == [true, true] {
        return value(f64::NAN);
    }
    let [up, down] = [0, 1].map(|side| certain[side] || possible[side]);
    let nan = skipped || up && down;
    // The sum without what may have no weight, but for infinities that have one.
    let result = match certain {
        [true, _] => value(f64::INFINITY),
        [_, true] => value(f64::NEG_INFINITY),
        _ => finite,
    };
    let other = |result: Number, wanted: bool, x: f64| if wanted { result.or_other(value(x), label) } else { result };
    let result = other(result, possible[0], f64::INFINITY);
    let result = other(result, possible[1], f64::NEG_INFINITY);
    other(result, nan, f64::NAN)
}

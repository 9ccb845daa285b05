//! The steps of Attention: scores of queries and keys, their weights, and the weighted sums of values.

use plumbline_tensor::FloatFormat;

use crate::accumulation;
use crate::families::normalization::{of_row, returned};
use crate::families::quantize::or_at_precision;
use crate::families::shares::{Ordered, Shares};
use crate::prelude::*;

/// The factor of the scores, and its square root.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// The factor, rounded to float64.
    pub value: f64,
    whole: Number,
    /// Its square root, as implementations have it.
    pub root: Number,
}

impl Scale {
    /// Returns the factor that the attribute `scale` gives, or `1 / sqrt(size)` without the attribute. The function
    /// body computes the factor and its root in float, and converts them to the type of the elements. For double, an
    /// implementation may also compute them in double (`scale-precision`).
    pub fn read(call: &Call, size: usize, dtype: DType) -> Scale {
        let given = call.optional_float("scale").map(f64::from);
        let computed = |precision: DType| {
            let of = |x: f64| Number::constant(x, precision);
            let whole = given.map_or_else(|| of(1.0) / of(size as f64).sqrt(), of);
            [whole, whole.sqrt()]
        };
        let [whole, root] = match dtype {
            DType::Double => {
                let (exact, in_float) = (computed(dtype), Scale::in_float(given, size).map(|x| x.at_precision(dtype)));
                let same = exact.iter().zip(&in_float).all(|(x, y)| x.is_point() && y.is_point() && x.mid() == y.mid());
                if !same && call.reading(rule::SCALE_PRECISION, 2) == 1 { in_float } else { exact }
            }
            _ => computed(DType::Float).map(|x| kept_or_stored(x, dtype)),
        };
        Scale { value: given.unwrap_or(1.0 / (size as f64).sqrt()), whole, root }
    }

    /// Returns the factor of a formula that multiplies by this factor twice.
    pub fn squared(self) -> Scale {
        Scale { value: self.value * self.value, whole: self.whole * self.whole, root: self.whole }
    }

    /// Returns the factor and its root as an implementation has them that rounds each step to float.
    fn in_float(given: Option<f64>, size: usize) -> [Number; 2] {
        let of = |x: f64| Number::constant(x, DType::Float);
        let whole = given.map_or_else(|| (of(1.0) / of(size as f64).sqrt().nearest()).nearest(), of);
        [whole, whole.sqrt().nearest()]
    }
}

/// Brings the result of a step into steps that have the precision of `dtype`. An implementation rounds it to this type,
/// or keeps it as it is.
#[inline]
pub fn kept_or_stored(x: Number, dtype: DType) -> Number {
    match x {
        _ if x.dtype() == dtype => x,
        // Nearly all numbers are of this kind. What follows is the same for them, without copies of the latitude.
        Number { kind: NumberKind::Real(x), latitude: None } => x.at_precision(dtype).hull(x.to_dtype(dtype)).into(),
        _ => x.at_precision(dtype).hull(x.to_float(dtype)),
    }
}

/// Computes a step of a formula whose elements have this type. For a type of 16 bits, an implementation computes the
/// step in float, unless its profile says that it sums in the type of the elements.
#[inline]
pub fn step<const N: usize>(mut terms: [Number; N], dtype: DType, f: impl Fn([Number; N]) -> Number) -> Number {
    let working = accumulation(dtype);
    for term in &mut terms {
        match term {
            Number { kind: NumberKind::Real(x), latitude: None } => *x = x.at_precision(working),
            _ => *term = term.at_precision(working),
        }
    }
    kept_or_stored(f(terms), dtype)
}

/// Returns the product of a query and a key, scaled by `scale`: both are scaled by its square root before the product,
/// or the product is scaled afterwards. If only one way overflows, the result is left open (`label`).
pub fn score(query: &[Number], key: &[Number], scale: &Scale, dtype: DType, label: Label) -> Number {
    let width = query.len();
    let of = |row: &[Number]| vec![product(&row[..width], &row[width..], scale, dtype, label)];
    of_row(&[query, key].concat(), of).swap_remove(0)
}

fn product(query: &[Number], key: &[Number], scale: &Scale, dtype: DType, label: Label) -> Number {
    let (mut before, mut after) = (Accumulator::new(dtype), Accumulator::new(dtype));
    for (&q, &k) in query.iter().zip(key) {
        before.add_product((q * scale.root).real(), (k * scale.root).real());
        after.add_product(q.real(), k.real());
    }
    let score = in_either_order(before, after, scale, label);
    // In a wider type the steps stay finite.
    let exact = query.iter().zip(key).map(|(q, k)| q.mid() * k.mid()).sum::<f64>() * scale.value;
    match score {
        _ if score.mid().is_finite() || !exact.is_finite() => score,
        _ if score.is_nan() => {
            Number::from(Real::constant(exact, dtype).widened(2.0 * query.len() as f64)).or(score, label)
        }
        _ => score.map_real(|x| Real { mid: exact, ..x }),
    }
}

/// Returns a score from the sum of products of scaled factors, and from the sum that is scaled afterwards.
pub fn in_either_order(before: Accumulator, after: Accumulator, scale: &Scale, label: Label) -> Number {
    or_at_precision(before.finish_inside().into(), Number::from(after.finish_inside()) * scale.whole, label)
}

/// Converts a number to the precision of a step. An implementation that computes more precisely is right, too.
pub fn at_least(precision: DType, x: Number) -> Number {
    let (stored, kept) = (x.to_float(precision), x.at_precision(precision));
    // A number beyond the range of the step's type stays finite if an implementation does not round it to this type.
    let beyond = stored.mid().is_infinite() && kept.mid().is_finite();
    if precision == x.dtype() {
        x
    } else if beyond {
        kept.hull(stored)
    } else {
        stored.hull(kept)
    }
}

/// How a row of scores becomes a row of weights.
#[derive(Clone, Copy, Debug)]
pub struct Weighing {
    /// The type in which the weights are computed.
    pub precision: DType,
    /// The type that the weights are rounded to.
    pub dtype: DType,
    /// The rule for scores that are not finite: weights are NaN, and some of them may be zero instead.
    pub infinite: Label,
    /// The rule for a row in which no key is left: the weights are zero or NaN.
    pub nothing: Label,
}

impl Weighing {
    /// Returns the weights of a row of scores: `exp(score - largest)` for each score, divided by the sum of these
    /// powers. The weights of `masked` keys are 0. The second result bounds all weights together, if every score is
    /// finite and decided.
    pub fn weights(&self, scores: &[Number], masked: &[bool]) -> (Vec<Number>, Option<Shares>) {
        let of = |row: &[Number]| {
            let row: Vec<Number> = row.iter().map(|&x| at_least(self.precision, x)).collect();
            let (weights, shares) = self.of_certain(&row, masked);
            (weights.into_iter().map(|x| kept_or_stored(x, self.dtype)).collect::<Vec<Number>>(), shares)
        };
        if scores.iter().all(|x| x.latitude.is_none()) {
            let (weights, shares) = of(scores);
            return (weights, shares.map(|shares| shares.rounded_to(self.dtype)));
        }
        (of_row(scores, |row| of(row).0), None)
    }

    fn value(&self, x: f64) -> Number {
        Number::constant(x, self.precision)
    }

    fn of_certain(&self, row: &[Number], masked: &[bool]) -> (Vec<Number>, Option<Shares>) {
        let reals: Vec<Real> = row.iter().map(Number::real).collect();
        let seen = |test: &dyn Fn(&Real) -> bool| reals.iter().zip(masked).any(|(x, masked)| !masked && test(x));
        // A score is certainly infinite only if its whole interval is. One that merely exceeds the range of this type
        // is finite in a wider type.
        let certain = |x: &Real, infinity: f64| x.low == infinity && x.high == infinity && x.mid == infinity;
        let vanishes = |x: &Real| certain(x, f64::NEG_INFINITY) && !x.nan;
        if masked.iter().all(|&masked| masked) {
            return (vec![self.value(0.0).or(self.value(f64::NAN), self.nothing); row.len()], None);
        }
        if !seen(&|x| !vanishes(x)) {
            return (vec![self.value(f64::NAN).or(self.value(0.0), self.nothing); row.len()], None);
        }
        // A NaN or an infinity makes the row NaN. The weight of a masked key may also stay zero. If the row has an
        // infinity but no NaN, the weight of any other score may be zero as well: its power divided by infinity.
        if seen(&|x| x.low.is_nan()) || seen(&|x| certain(x, f64::INFINITY)) {
            let undefined = seen(&|x| x.low.is_nan());
            let weight = |(x, masked): (&Real, &bool)| match (*masked, undefined || certain(x, f64::INFINITY)) {
                (true, _) => self.value(0.0).or(self.value(f64::NAN), self.infinite),
                (false, true) => self.value(f64::NAN),
                (false, false) => self.value(f64::NAN).or(self.value(0.0), self.infinite),
            };
            return (reals.iter().zip(masked).map(weight).collect(), None);
        }
        // Some scores are infinite by one way of computing them and finite by another. They are finite here; the
        // results for an infinity are added below.
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
        let doubtful = seen(&unsure);
        let without = |test: &dyn Fn(&Real) -> bool| -> Vec<bool> {
            masked.iter().zip(&reals).map(|(masked, x)| *masked || test(x)).collect()
        };
        let (mut weights, shares) = self.of_finite(&settled, &without(&vanishes));
        let below = |x: &Real| stored(x).low == f64::NEG_INFINITY;
        if seen(&|x| unsure(x) && below(x)) {
            let (smaller, _) = self.of_finite(&settled, &without(&below));
            weights = weights.into_iter().zip(smaller).map(|(x, other)| x.or(other, self.infinite)).collect();
        }
        if seen(&|x| unsure(x) && (x.nan || stored(x).high == f64::INFINITY)) {
            weights = weights.into_iter().map(|x| x.or(self.value(f64::NAN), self.infinite)).collect();
        }
        (weights, shares.filter(|_| !doubtful))
    }

    fn of_finite(&self, row: &[Number], masked: &[bool]) -> (Vec<Number>, Option<Shares>) {
        let open = || row.iter().zip(masked).filter(|(_, masked)| !**masked).map(|(x, _)| x);
        let largest = open().map(Number::mid).fold(f64::NEG_INFINITY, f64::max);
        if largest == f64::NEG_INFINITY {
            return (vec![self.value(f64::NAN); row.len()], None);
        }
        // Any shift cancels, so that an error of the largest score does not count. But it moves the differences, so that
        // each may be rounded to either side, in the type of the weights.
        let most = |end: fn(&Real) -> f64| open().map(|x| end(&x.real())).fold(f64::NEG_INFINITY, f64::max);
        let moved = most(|x| x.high) - most(|x| x.low);
        let wider = accumulation(self.precision);
        let less = |[x]: [Number; 1]| x - x.like(largest);
        let difference = |x: Number| match moved > 0.0 {
            false => step([x], self.precision, less),
            true => {
                let kept = less([x.at_precision(wider)]).at_precision(self.precision);
                kept.map_real(|x| x.widened(TO_EITHER_SIDE))
            }
        };
        // The error also multiplies the powers and their sum by a factor. A 16-bit type rounds them after that.
        let factor = (moved > 0.0 && wider != self.precision).then(|| libm::exp(moved));
        let either_side = |rounded: Number, unrounded: &dyn Fn() -> Number| match factor {
            None => rounded,
            Some(factor) => {
                let unrounded = unrounded().at_precision(self.precision);
                rounded.hull(unrounded.map_real(|x| rounded_with_a_factor(x, factor)))
            }
        };
        let power = |(x, masked): (&Number, &bool)| match masked {
            true => x.like(0.0),
            false => {
                let difference = difference(*x);
                let rounded = step([difference], self.precision, |[x]| x.exp());
                either_side(rounded, &|| difference.at_precision(wider).exp())
            }
        };
        let powers: Vec<Number> = row.iter().zip(masked).map(power).collect();
        let mut sum = Accumulator::new(self.precision);
        powers.iter().for_each(|p| sum.add(p.real()));
        let sum = either_side(sum.clone().finish_inside().into(), &|| sum.clone().finish_kept().into());
        let shares = Shares::new(&powers, self.precision);
        let weight = |(i, p): (usize, &Number)| {
            let vanishes = p.is_point() && p.mid() == 0.0;
            let share = if vanishes { *p } else { step([*p, sum], self.precision, |[p, sum]| p / sum) };
            share.map_real(|x| shares.cut(i, x.within(0.0, 1.0)))
        };
        let weights = powers.iter().enumerate().map(weight).collect();
        (weights, Some(shares))
    }
}

/// Bounds what an implementation has of a number that is at least zero if it multiplies the number by a factor between
/// `1 / most` and `most`, rounds the product, and divides by the same factor later. A number stays as it is if the product
/// is always rounded to zero.
fn rounded_with_a_factor(x: Real, most: f64) -> Real {
    let Some(format) = FloatFormat::for_dtype(x.dtype) else { return x };
    let (high, half) = (x.high * most, format.min_positive() / 2.0);
    if high < half {
        return x;
    }
    // Half a ULP of the largest product, or the largest relative error of a normal product, whichever is less.
    let lost = (format.ulp(high) / 2.0 * most).min((x.high * format.ulp(1.0) / 2.0).max(half * most));
    Real { low: (x.low - lost).next_down().max(0.0), high: (x.high + lost).next_up(), ..x }
}

/// The error in ULP of a difference that may be rounded to either side, although its ends would be rounded to one.
const TO_EITHER_SIDE: f64 = 0.501;

/// Returns the sum of values times their weights, in the type of the weights. If the values have another type, an
/// implementation converts the values or the weights. `label` names the rule for weights that are open or may be NaN,
/// and for values that are not finite and may have no weight. `shares` bounds the weights together, if they have no
/// latitude.
pub fn weighted(
    (weights, shares): (&[Number], Option<&Shares>),
    values: &[Number],
    masked: &[bool],
    dtype: DType,
    label: Label,
) -> Number {
    let count = weights.len();
    let certain = weights.iter().chain(values).all(|x| x.latitude.is_none());
    let shares = shares.filter(|_| certain);
    let of = |row: &[Number]| vec![sum_of_certain((&row[..count], shares), &row[count..], masked, dtype, label)];
    let undefined = weights.iter().any(|w| w.is_nan() && w.latitude.is_none());
    let maybe_undefined = weights.iter().any(Number::is_nan);
    let sum = of_row(&[weights, values].concat(), of).swap_remove(0);
    let value = |x: f64| Number::constant(x, dtype);
    // A weight that is certainly NaN makes the sum NaN.
    if undefined {
        return value(f64::NAN);
    }
    // Every weight of this row may be NaN or 0.
    if maybe_undefined {
        return value(f64::NAN).or(value(0.0), label);
    }
    if weights.iter().all(|w| w.latitude.is_none()) {
        return sum;
    }
    // If scores are not finite, an implementation that shifts, scales or caps them in its own way has other weights, or
    // only zeros. Weights are still shares of a whole, so that the sum is a mean of the values, or zero.
    let finite = values.iter().map(Number::mid).filter(|v| v.is_finite());
    let (low, high) = finite.fold((0.0f64, 0.0f64), |(low, high), v| (low.min(v), high.max(v)));
    let mean = Real { low, mid: 0.0, high, ..Real::constant(0.0, dtype) }.widened(2.0);
    let infinite = values.iter().map(Number::mid).filter(|v| v.is_infinite());
    infinite.chain([f64::NAN]).fold(sum.or(mean.overflowing(), label), |sum, v| sum.or(value(v), label))
}

fn sum_of_certain(
    (weights, shares): (&[Number], Option<&Shares>),
    values: &[Number],
    masked: &[bool],
    dtype: DType,
    label: Label,
) -> Number {
    let of_values = values.first().map_or(dtype, Number::dtype);
    let coarser = |a: DType, b: DType| {
        let precision = |d: DType| FloatFormat::for_dtype(d).map_or(0, FloatFormat::precision);
        if precision(a) < precision(b) { a } else { b }
    };
    let working = coarser(dtype, of_values);
    let keeps = accumulation(working);
    let mut sum = Accumulator::keeping(keeps, working);
    let mut counted = Vec::with_capacity(values.len());
    // The infinities of either sign: those that certainly have a weight, and those that may have none.
    let (mut certain, mut possible, mut undefined, mut skipped) = ([false; 2], [false; 2], false, false);
    for ((&weight, &value), &masked) in weights.iter().zip(values).zip(masked) {
        let (w, v) = match of_values == dtype {
            true => (weight, value),
            false => (weight.hull(weight.to_float(working)), value.at_precision(working).hull(value.to_float(working))),
        };
        let (w, v) = (w.at_precision(working).real(), v.at_precision(working).real());
        counted.push(v);
        if v.low.is_finite() && v.high.is_finite() && !v.nan {
            sum.add_product(w, v);
            skipped |= w.nan;
        } else if masked {
            skipped = true;
        } else if v.low != v.high && !v.low.is_nan() {
            // The value is infinite if it is converted, and it stays as it is if the weight is converted.
            sum.add_product(w, value.at_precision(working).real());
            possible[usize::from(v.mid < 0.0)] = true;
            skipped |= w.low <= 0.0;
        } else if v.low.is_nan() {
            undefined = true;
        } else {
            let side = usize::from(v.low < 0.0);
            certain[side] |= w.low > 0.0;
            // A weight of zero may be one that was too small for its type, so that the infinity may count.
            possible[side] |= w.low <= 0.0;
            skipped |= w.low <= 0.0;
        }
    }
    let value = |x: f64| Number::constant(x, dtype);
    // With two types, the sum is in the type of the output or in the coarser type.
    let mut kept = sum.finish_kept();
    if let Some(shares) = shares {
        let coarser = if working == shares.dtype { None } else { Some(working) };
        kept = shares.mean(&Ordered::new(&counted), kept, coarser);
    }
    let finite = if of_values == dtype { kept.to_dtype(working) } else { returned(kept, working) };
    let finite = Number::from(finite).to_float(dtype);
    if undefined || certain == [true, true] {
        return value(f64::NAN);
    }
    let [up, down] = [0, 1].map(|side| certain[side] || possible[side]);
    let nan = skipped || up && down;
    // The sum is infinite if an infinity certainly has a weight; otherwise it is the sum of the finite values.
    let result = match certain {
        [true, _] => value(f64::INFINITY),
        [_, true] => value(f64::NEG_INFINITY),
        _ => finite,
    };
    let other = |result: Number, wanted: bool, x: f64| if wanted { result.or(value(x), label) } else { result };
    let result = other(result, possible[0], f64::INFINITY);
    let result = other(result, possible[1], f64::NEG_INFINITY);
    other(result, nan, f64::NAN)
}

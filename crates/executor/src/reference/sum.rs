//! Sums and dot products in any order.
//!
//! Whatever the order, n terms added at unit roundoff u stray by at most n*u*sum|terms| (Higham, "Accuracy and Stability of
//! Numerical Algorithms", 4.2). Where every partial sum is representable in every order, nothing strays at all.

use plumbline_tensor::{DType, FloatFormat};

use super::number::{Kind, Latitude, Number};
use super::precision;
use super::real::Real;
use crate::Label;

/// Adds terms up in no particular order.
#[derive(Clone, Debug)]
pub struct Accumulator {
    dtype: DType,
    keeps: DType,
    count: usize,
    sum: f64,
    compensation: f64,
    low: f64,
    high: f64,
    positive: f64,
    negative: f64,
    /// How many terms are above and below zero.
    signs: [usize; 2],
    roundings: f64,
    quantum: i32,
    exact: bool,
    nan: bool,
    maybe_nan: bool,
    /// Whether a term is infinite (of either sign).
    infinite: [bool; 2],
    /// Whether a term may have overflowed (to either sign).
    overflowing: [bool; 2],
    /// Whether a term is finite, but beyond every type (of either sign).
    beyond: [bool; 2],
}

impl Accumulator {
    /// For terms of this type. Sums of anything smaller than float are kept as float (the policy may say otherwise).
    pub fn new(dtype: DType) -> Accumulator {
        Accumulator::keeping(precision::accumulation(dtype), dtype)
    }

    /// For terms of type `dtype`, in a sum that is kept as `keeps`.
    pub fn keeping(keeps: DType, dtype: DType) -> Accumulator {
        Accumulator {
            dtype,
            keeps,
            count: 0,
            sum: 0.0,
            compensation: 0.0,
            low: 0.0,
            high: 0.0,
            positive: 0.0,
            negative: 0.0,
            signs: [0; 2],
            roundings: 0.0,
            quantum: i32::MAX,
            exact: true,
            nan: false,
            maybe_nan: false,
            infinite: [false; 2],
            overflowing: [false; 2],
            beyond: [false; 2],
        }
    }

    /// Adds a term.
    pub fn add(&mut self, x: Real) {
        let exact = x.low == x.high;
        self.push(x.low, x.mid, x.high, exact, x.nan);
    }

    /// Adds a product, which an implementation rounds or does not (fused).
    pub fn add_product(&mut self, a: Real, b: Real) {
        let mid = a.mid * b.mid;
        if a.low == a.high && b.low == b.high {
            return self.add_exact_product(a.mid, b.mid);
        }
        let all = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
        if all.iter().all(|x| x.is_nan()) {
            return self.push(f64::NAN, mid, f64::NAN, false, true);
        }
        let nan = a.nan || b.nan || all.iter().any(|x| x.is_nan());
        let low = all.iter().copied().fold(f64::INFINITY, f64::min);
        let high = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if low == high && low.is_infinite() && [a.low, a.high, b.low, b.high].iter().all(|x| x.is_finite()) {
            self.count += 1;
            self.beyond[usize::from(low < 0.0)] = true;
            return;
        }
        self.push(low, mid, high, false, nan);
        let largest = low.abs().max(high.abs());
        self.roundings += if largest.is_finite() { largest } else { 0.0 };
    }

    /// Adds the product of two exact elements.
    pub fn add_exact_product(&mut self, a: f64, b: f64) {
        let product = a * b;
        if product.is_infinite() && a.is_finite() && b.is_finite() {
            self.count += 1;
            self.beyond[usize::from(product < 0.0)] = true;
            return;
        }
        let exact = self.dtype != DType::Double || libm::fma(a, b, -product) == 0.0;
        self.push(product, product, product, exact, product.is_nan());
        if !self.holds_products() && product.is_finite() {
            self.roundings += product.abs();
        }
    }

    /// Whether products of two elements are kept as they are: those of halves are, as float.
    fn holds_products(&self) -> bool {
        self.dtype == DType::Float16 && self.keeps == DType::Float
    }

    /// What adding `count` products of exact finite elements comes to, given their sum and the sum of their magnitudes (both in float64, which
    /// holds each product of two elements below float64), and the exponent below which no product has a bit (see [`lowest_bit`]).
    pub fn of_products(dtype: DType, count: usize, sum: f64, magnitude: f64, quantum: i32) -> Accumulator {
        let base = Accumulator::new(dtype);
        Accumulator {
            count,
            sum,
            positive: (magnitude + sum) / 2.0,
            negative: (magnitude - sum) / 2.0,
            roundings: if base.holds_products() { 0.0 } else { magnitude },
            quantum,
            signs: [count; 2],
            ..base
        }
    }

    /// Every term times a finite number, before or after they are added, which an implementation rounds.
    pub fn scaled(self, factor: f64) -> Accumulator {
        if factor == 1.0 || self.nan {
            return self;
        }
        let (fraction, power) = libm::frexp(factor.abs());
        let exact = fraction == 0.5;
        let magnitude = self.positive + self.negative;
        let flip = |[a, b]: [bool; 2]| if factor < 0.0 { [b, a] } else { [a, b] };
        let size = factor.abs();
        let pair = |a: f64, b: f64| if factor < 0.0 { (b * size, a * size) } else { (a * size, b * size) };
        let (positive, negative) = pair(self.positive, self.negative);
        let (high, low) = if factor < 0.0 {
            (self.low * factor, self.high * factor)
        } else {
            (self.high * factor, self.low * factor)
        };
        Accumulator {
            sum: self.sum * factor,
            compensation: self.compensation * factor,
            low,
            high,
            positive,
            negative,
            roundings: (self.roundings + if exact { 0.0 } else { magnitude }) * size,
            quantum: if self.quantum == i32::MAX { i32::MAX } else { self.quantum.saturating_add(power - 1) },
            exact: self.exact && exact,
            nan: factor == 0.0 && self.infinite != [false; 2],
            infinite: flip(self.infinite),
            overflowing: flip(self.overflowing),
            beyond: flip(self.beyond),
            signs: if factor < 0.0 { [self.signs[1], self.signs[0]] } else { self.signs },
            ..self
        }
    }

    fn push(&mut self, low: f64, mid: f64, high: f64, exact: bool, nan: bool) {
        self.count += 1;
        if low.is_nan() || high.is_nan() {
            self.nan = true;
            return;
        }
        self.maybe_nan |= nan;
        if low == high && low.is_infinite() {
            self.infinite[usize::from(low < 0.0)] = true;
            return;
        }
        // The finite part is summed; that there may be an infinity as well is kept apart.
        self.overflowing[0] |= high == f64::INFINITY;
        self.overflowing[1] |= low == f64::NEG_INFINITY;
        let mid =
            if mid.is_finite() { mid } else { [low, high, 0.0].into_iter().find(|x| x.is_finite()).unwrap_or(0.0) };
        let low = if low.is_finite() { low } else { mid };
        let high = if high.is_finite() { high } else { mid };
        let next = self.sum + mid;
        self.compensation +=
            if self.sum.abs() >= mid.abs() { (self.sum - next) + mid } else { (mid - next) + self.sum };
        self.sum = next;
        self.low += low - mid;
        self.high += high - mid;
        self.positive += high.max(0.0);
        self.negative += (-low).max(0.0);
        self.signs[0] += usize::from(high > 0.0);
        self.signs[1] += usize::from(low < 0.0);
        if exact && mid.is_finite() {
            self.quantum = self.quantum.min(trailing_exponent(mid));
        } else {
            self.exact = false;
        }
    }

    /// How many terms there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The sum, rounded to the type of the terms.
    pub fn finish(self) -> Real {
        self.finish_as_kept().in_dtype(|r, dtype| r.to_dtype(dtype))
    }

    /// The sum inside of a formula: an implementation rounds it to the type of the terms, or goes on with it as it is kept. Later steps are at
    /// the precision of the terms.
    pub fn finish_inside(self) -> Real {
        let dtype = self.dtype;
        let kept = self.finish_kept();
        if kept.dtype == dtype { kept } else { kept.at_precision(dtype).hull(kept.to_dtype(dtype)) }
    }

    /// The sum where a finite term, or the sum of some, is beyond every type: infinite, unless others make up for it before it is rounded.
    fn beyond_every_type(&self) -> Real {
        let base = Real::constant(f64::NAN, self.keeps);
        let sums = [self.positive, self.negative];
        let beyond = [0, 1].map(|sign| self.beyond[sign] || self.overflowing[sign] || sums[sign].is_infinite());
        if beyond == [true, true] {
            return Real { low: f64::NEG_INFINITY, high: f64::INFINITY, nan: true, ..base };
        }
        let down = beyond[1] || !beyond[0] && self.negative > self.positive;
        let others = if down { self.positive } else { self.negative };
        let low = if others > 0.0 { f64::MAX - others } else { f64::INFINITY };
        let up = Real { low, mid: f64::INFINITY, high: f64::INFINITY, nan: self.maybe_nan, ..base };
        if down { up.neg() } else { up }
    }

    /// The sum as it is kept, before it is rounded to the type of the terms; later steps are at the precision it is kept in.
    pub fn finish_kept(self) -> Real {
        self.finish_as_kept().real
    }

    fn finish_as_kept(self) -> Kept {
        let base = Real::constant(0.0, self.keeps);
        let wrap = |real| Kept { real, dtype: self.dtype };
        if self.nan || self.infinite == [true, true] {
            return wrap(Real { low: f64::NAN, mid: f64::NAN, high: f64::NAN, nan: true, ..base });
        }
        if self.infinite != [false, false] {
            let infinity = if self.infinite[0] { f64::INFINITY } else { f64::NEG_INFINITY };
            // The other terms cannot change it, unless one of them, or their sum, may be an infinity of the other sign.
            let other = usize::from(self.infinite[0]);
            let format = FloatFormat::of(self.keeps);
            let sum = [self.positive, self.negative][other];
            let other = self.overflowing[other]
                || self.beyond[other]
                || format.is_some_and(|f| sum * (1.0 + 1e-6) > f.max_finite());
            return wrap(Real { low: infinity, mid: infinity, high: infinity, nan: self.maybe_nan || other, ..base });
        }
        if self.beyond != [false, false] || !(self.sum + self.compensation).is_finite() {
            return wrap(self.beyond_every_type());
        }
        let format = FloatFormat::of(self.keeps).unwrap_or_else(|| FloatFormat::of(DType::Double).expect("a layout"));
        let magnitude = self.positive + self.negative;
        let mid = self.sum + self.compensation;
        let precision = format.precision() as i32;
        let representable = self.exact
            && self.quantum >= trailing_exponent(format.min_positive())
            && (magnitude == 0.0
                || magnitude <= libm::scalbn(1.0, self.quantum.saturating_add(precision).clamp(-1100, 1023)));
        let mut err = 0.0;
        if !representable {
            let unit = libm::scalbn(1.0, -precision);
            let additions = self.count.saturating_sub(1) as f64;
            let gamma = additions * unit / (1.0 - additions * unit).max(0.5);
            err = gamma * magnitude + unit * self.roundings * (1.0 + gamma);
            err += format.min_positive() / 2.0 * if self.roundings > 0.0 { self.count as f64 } else { 0.0 };
            if self.keeps == DType::Double {
                err += 2.0 * unit * mid.abs();
            }
            // The sum itself is computed in float64.
            err *= 1.0 + 1e-8;
        }
        let mut low = mid + self.low - err;
        let mut high = mid + self.high + err;
        // Terms of one sign do not add up to the other.
        if self.negative == 0.0 {
            low = low.max(0.0);
        }
        if self.positive == 0.0 {
            high = high.min(0.0);
        }
        let max = format.max_finite();
        let mut nan = self.maybe_nan;
        // Some order adds all terms of one sign first.
        let unit = libm::scalbn(1.0, -precision);
        let partial = |sum: f64, terms: usize| sum * (1.0 + terms.saturating_sub(1) as f64 * unit);
        if self.overflowing[0] || partial(self.positive, self.signs[0]) > max {
            high = f64::INFINITY;
        }
        if self.overflowing[1] || partial(self.negative, self.signs[1]) > max {
            low = f64::NEG_INFINITY;
        }
        if low == f64::NEG_INFINITY && high == f64::INFINITY {
            nan = true;
        }
        let threshold = max + format.ulp(max) / 2.0;
        if low >= threshold {
            low = f64::INFINITY;
        }
        if high <= -threshold {
            high = f64::NEG_INFINITY;
        }
        wrap(Real { low, mid, high, nan, ..base })
    }
}

struct Kept {
    real: Real,
    dtype: DType,
}

impl Kept {
    fn in_dtype(self, f: impl Fn(Real, DType) -> Real) -> Real {
        if self.real.dtype == self.dtype { self.real } else { f(self.real, self.dtype) }
    }
}

/// The exponent of the lowest bit that any of these finite numbers has; the largest there is where all are zero.
pub fn lowest_bit(values: impl IntoIterator<Item = f64>) -> i32 {
    values.into_iter().map(trailing_exponent).min().unwrap_or(i32::MAX)
}

/// Exponent of the lowest set bit of a finite number; the largest there is for zero.
fn trailing_exponent(x: f64) -> i32 {
    if x == 0.0 {
        return i32::MAX;
    }
    let bits = x.to_bits();
    let field = (bits >> 52 & 0x7ff) as i32;
    let mantissa = bits & ((1 << 52) - 1);
    if field == 0 {
        mantissa.trailing_zeros() as i32 - 1074
    } else {
        (mantissa | 1 << 52).trailing_zeros() as i32 + field - 1075
    }
}

/// The sum of numbers of one type. Integers wrap, which the specification leaves open (`overflow`); real numbers take the any-order bound.
pub fn sum(terms: impl IntoIterator<Item = Number>, dtype: DType, overflow: Label) -> Number {
    reduce(terms, dtype, overflow, Accumulator::finish)
}

/// The same, where real numbers stay at the precision in which the sum is kept.
pub fn sum_kept(terms: impl IntoIterator<Item = Number>, dtype: DType, overflow: Label) -> Number {
    reduce(terms, dtype, overflow, Accumulator::finish_kept)
}

/// The same inside of a formula (see [`Accumulator::finish_inside`]).
pub fn sum_inside(terms: impl IntoIterator<Item = Number>, dtype: DType, overflow: Label) -> Number {
    reduce(terms, dtype, overflow, Accumulator::finish_inside)
}

/// The sum of the elements of several tensors at one place, in any order. An implementation may add one tensor after the other, so
/// that each sum is rounded to their type; sums that are kept in a wider one stray less. Real numbers only.
pub fn sum_in_type(terms: &[Number]) -> Number {
    let dtype = terms.first().map_or(DType::Float, Number::dtype);
    let mut accumulator = Accumulator::keeping(dtype, dtype);
    terms.iter().for_each(|term| accumulator.add(term.real()));
    let sum = Number::from(accumulator.finish());
    match terms.iter().find_map(|term| term.latitude) {
        Some(latitude) => sum.undecided(latitude.label),
        None => sum,
    }
}

fn reduce(
    terms: impl IntoIterator<Item = Number>,
    dtype: DType,
    overflow: Label,
    finish: impl FnOnce(Accumulator) -> Real,
) -> Number {
    let mut latitude: Option<Latitude> = None;
    if !dtype.is_float() {
        let zero = Number::int(0, dtype);
        return terms.into_iter().fold(zero, |a, b| a + b).wraps(overflow);
    }
    let mut accumulator = Accumulator::new(dtype);
    for term in terms {
        latitude = latitude.or(term.latitude);
        accumulator.add(term.real());
    }
    let result = Number { kind: Kind::Real(finish(accumulator)), latitude: None };
    match latitude {
        Some(l) => result.undecided(l.label),
        None => result,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn products(dtype: DType, pairs: &[(f64, f64)]) -> Real {
        let mut sum = Accumulator::new(dtype);
        pairs.iter().for_each(|&(a, b)| sum.add_exact_product(a, b));
        sum.finish()
    }

    #[test]
    fn products_beyond_float64_are_infinite_unless_others_make_up_for_them() {
        let up = products(DType::Double, &[(1e200, 1e200), (2.0, 3.0)]);
        assert!(up.accepts(f64::INFINITY) && !up.accepts(1e308) && !up.nan);
        let both = products(DType::Double, &[(1e200, 1e200), (-1e200, 1e200)]);
        assert!(both.accepts(0.0) && both.accepts(f64::NAN));
        // An infinity stays what it is, or meets the infinity that a product was rounded to.
        let infinite = products(DType::Double, &[(f64::NEG_INFINITY, 1.0), (1e200, 1e200)]);
        assert!(infinite.accepts(f64::NEG_INFINITY) && infinite.accepts(f64::NAN) && !infinite.accepts(f64::INFINITY));
    }

    #[test]
    fn sums_beyond_float64_are_infinite_and_no_nan() {
        let sum = products(DType::Double, &[(f64::MAX, 1.0), (f64::MAX, 1.0)]);
        assert!(sum.accepts(f64::INFINITY) && !sum.nan);
        let sum = products(DType::Double, &[(-f64::MAX, 1.0), (-f64::MAX, 1.0), (1.0, 1.0)]);
        assert!(sum.accepts(f64::NEG_INFINITY) && !sum.accepts(0.0) && !sum.nan, "{sum:?}");
    }

    #[test]
    fn inside_a_formula_a_sum_is_rounded_or_not() {
        let mut sum = Accumulator::new(DType::Float16);
        for x in [1.0, 0.00048828125, 0.000244140625] {
            sum.add(Real::exact(x, DType::Float16));
        }
        let inside = sum.clone().finish_inside();
        // 1 + 3 * 2^-12 is halfway between no two halves; the nearest one is 1 + 2^-10.
        assert_eq!((inside.low, inside.mid, inside.high), (1.000732421875, 1.000732421875, 1.0009765625));
        assert_eq!(sum.finish().mid, 1.0009765625);
    }

    #[test]
    fn a_product_with_bits_below_the_smallest_subnormal_is_rounded() {
        let smallest = f64::from(f32::from_bits(1));
        let sum = products(DType::Float, &[(smallest, 0.5), (smallest, 1.0)]);
        assert!(sum.accepts(smallest) && sum.accepts(2.0 * smallest));
        assert!(products(DType::Float, &[(smallest, 2.0), (smallest, 1.0)]).is_point());
    }

    #[test]
    fn terms_of_one_sign_do_not_add_up_to_the_other() {
        let tiny = products(DType::Float, &[(1e-30, 1e-30)]);
        assert!(tiny.accepts(0.0) && !tiny.accepts(-1e-45));
    }
}

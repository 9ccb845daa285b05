//! [`Accumulator`]: collects the terms of a sum.

use plumbline_tensor::{DType, FloatFormat};

use crate::arithmetic::rounded_or_cut;
use crate::precision;
use crate::real::Real;
use crate::steps;

/// A sum whose terms may be added in any order: its value so far, and what is needed to bound its error.
#[derive(Clone, Debug)]
pub struct Accumulator {
    pub(super) dtype: DType,
    pub(super) keeps: DType,
    /// The format to which implementations may round the factors of products first.
    pub(super) factors: Option<&'static FloatFormat>,
    pub(super) count: usize,
    pub(super) sum: f64,
    pub(super) compensation: f64,
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) positive: f64,
    pub(super) negative: f64,
    /// Upper bounds on the number of terms above zero and on the number of terms below zero.
    pub(super) signs: [usize; 2],
    pub(super) roundings: f64,
    pub(super) quantum: i32,
    pub(super) exact: bool,
    pub(super) nan: bool,
    pub(super) maybe_nan: bool,
    /// The sum of the preferred values that are not finite, of terms in whose place finite numbers are accepted too.
    pub(super) astray: f64,
    /// Whether a term is infinite, for each sign (positive first, as in the fields below).
    pub(super) infinite: [bool; 2],
    /// Whether a term may have overflowed to an infinity, for each sign.
    pub(super) overflowing: [bool; 2],
    /// Whether a term is finite but too large even for float64, for each sign.
    pub(super) beyond: [bool; 2],
}

/// The sums of the values and of the ends of terms, for [`Accumulator::of_terms`].
#[derive(Clone, Copy, Debug)]
pub struct Sums {
    /// The sum of the terms.
    pub mid: f64,
    /// The sum, over all terms, of the lower end minus the term (0 or less).
    pub low: f64,
    /// The sum, over all terms, of the upper end minus the term (0 or more).
    pub high: f64,
    /// The sum of the upper ends that are above zero.
    pub positive: f64,
    /// The sum of the magnitudes of the lower ends that are below zero.
    pub negative: f64,
}

impl Accumulator {
    /// Returns an empty sum for terms of this type. A sum of a type narrower than float is kept as float, unless the
    /// policy says otherwise.
    pub fn new(dtype: DType) -> Accumulator {
        Accumulator::keeping(precision::accumulation(dtype), dtype)
    }

    /// Returns an empty sum, which is kept as `keeps`, for terms of type `dtype`.
    pub fn keeping(keeps: DType, dtype: DType) -> Accumulator {
        let dtype = precision::working(dtype);
        Accumulator {
            dtype,
            factors: precision::factors(dtype),
            keeps: precision::working(keeps),
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
            astray: 0.0,
            infinite: [false; 2],
            overflowing: [false; 2],
            beyond: [false; 2],
        }
    }

    /// Returns the same sum, kept in the type of its terms; `None` if it is kept in this type already.
    pub fn in_its_type(&self) -> Option<Accumulator> {
        (self.keeps != self.dtype).then(|| Accumulator { keeps: self.dtype, ..self.clone() })
    }

    /// Adds a term.
    #[inline]
    pub fn add(&mut self, x: Real) {
        let x = x.outward().with_exact_result();
        let exact = x.low == x.high;
        self.push(x.low, x.mid, x.high, exact, x.nan);
    }

    /// Adds a product. An implementation may round the product before it adds it, or not (fused multiply-add).
    #[inline]
    pub fn add_product(&mut self, a: Real, b: Real) {
        if self.keeps != self.dtype && precision::rounds_products(self.dtype) {
            return self.add(a.at_precision(self.dtype).times(b.at_precision(self.dtype)));
        }
        let (a, b) = (self.as_factor(a.outward()), self.as_factor(b.outward()));
        let mid = a.mid * b.mid;
        if a.is_certain() && b.is_certain() {
            return self.add_product_of_points(a.mid, b.mid);
        }
        let (a, b) = (a.with_exact_result(), b.with_exact_result());
        let all = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
        if all.iter().all(|x| x.is_nan()) {
            // If a number may be infinite or finite, its product with zero may be NaN or zero.
            let vanishes = |zero: Real, other: Real| zero.low == 0.0 && zero.high == 0.0 && other.low < other.high;
            return match vanishes(a, b) || vanishes(b, a) {
                true => self.push(0.0, mid, 0.0, false, true),
                false => self.push(f64::NAN, mid, f64::NAN, false, true),
            };
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
    #[inline]
    pub fn add_exact_product(&mut self, a: f64, b: f64) {
        match precision::keeps_products(self.dtype) {
            true => self.add_product_of_points(a, b),
            false => self.add_product(Real::exact(a, self.dtype), Real::exact(b, self.dtype)),
        }
    }

    /// Returns a factor of a product as implementations have it, which may round it to a narrower format first.
    #[inline]
    fn as_factor(&self, x: Real) -> Real {
        let Some(format) = self.factors else { return x };
        Real { low: rounded_or_cut(x.low, format).0, high: rounded_or_cut(x.high, format).1, ..x }
    }

    #[inline]
    fn add_product_of_points(&mut self, a: f64, b: f64) {
        let product = a * b;
        if product.is_infinite() && a.is_finite() && b.is_finite() {
            self.count += 1;
            self.beyond[usize::from(product < 0.0)] = true;
            return;
        }
        let exact = self.dtype != DType::Double || held(a, b, product);
        self.push(product, product, product, exact, product.is_nan());
        if !self.holds_products() && product.is_finite() {
            self.roundings += product.abs();
        }
    }

    /// Returns whether the sum is kept in a type that represents every product of two elements exactly, as float does
    /// for elements of float16.
    pub(super) fn holds_products(&self) -> bool {
        self.dtype == DType::Float16 && self.keeps == DType::Float
    }

    /// Returns the result of adding `count` products of exact finite elements of a type narrower than float64. `sum` is
    /// the sum of the products, and `magnitude` the sum of their magnitudes, both in float64, which represents each
    /// product exactly. `quantum` is the exponent below which no product has a bit (see [`lowest_bit`]).
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

    /// Returns the result of adding `count` finite terms of a type narrower than float64, from their sums in float64.
    /// `quantum` is the exponent below which no term has a bit (see [`lowest_bit`]); `None` where a term is not exact.
    pub fn of_terms(dtype: DType, count: usize, sums: Sums, quantum: Option<i32>) -> Accumulator {
        let Sums { mid: sum, low, high, positive, negative } = sums;
        let (exact, quantum) = (quantum.is_some(), quantum.unwrap_or(i32::MAX));
        let signs = [count; 2];
        Accumulator { count, sum, low, high, positive, negative, signs, quantum, exact, ..Accumulator::new(dtype) }
    }

    /// Multiplies every term by a finite number. An implementation may multiply before or after it adds, and rounds the
    /// products.
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
            astray: self.astray * factor,
            nan: factor == 0.0 && self.infinite != [false; 2],
            infinite: flip(self.infinite),
            overflowing: flip(self.overflowing),
            beyond: flip(self.beyond),
            signs: if factor < 0.0 { [self.signs[1], self.signs[0]] } else { self.signs },
            ..self
        }
    }

    #[inline]
    fn push(&mut self, low: f64, mid: f64, high: f64, exact: bool, nan: bool) {
        steps::take(1);
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
        // Only the finite part is summed; `overflowing` records that there may be an infinity as well.
        self.overflowing[0] |= high == f64::INFINITY;
        self.overflowing[1] |= low == f64::NEG_INFINITY;
        self.astray += if mid.is_finite() { 0.0 } else { mid };
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

    /// Returns the number of terms.
    pub fn count(&self) -> usize {
        self.count
    }
}

/// Returns whether `product`, which is `a * b` in float64, is exact.
#[inline]
fn held(a: f64, b: f64, product: f64) -> bool {
    // The rounding error of a product that is not far above the subnormal numbers may be too small for a float64.
    let least = trailing_exponent(a).saturating_add(trailing_exponent(b));
    libm::fma(a, b, -product) == 0.0 && least >= trailing_exponent(f64::from_bits(1))
}

/// Returns the exponent of the lowest bit that is set in any of these finite numbers; the largest `i32` where all are
/// zero.
#[inline]
pub fn lowest_bit(values: impl IntoIterator<Item = f64>) -> i32 {
    values.into_iter().map(trailing_exponent).min().unwrap_or(i32::MAX)
}

/// Returns the exponent of the lowest set bit of a finite number; the largest `i32` for zero.
#[inline]
pub fn trailing_exponent(x: f64) -> i32 {
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

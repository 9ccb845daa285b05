//! Computes the result of a sum and its error from an [`Accumulator`].

use plumbline_tensor::{DType, FloatFormat, power_of_two};

use super::accumulator::{Accumulator, trailing_exponent};
use crate::precision;
use crate::real::Real;

impl Accumulator {
    /// Returns the sum, rounded to the type of the terms.
    pub fn finish(self) -> Real {
        self.finish_as_kept().in_dtype(Real::to_dtype)
    }

    /// Returns the sum inside of a formula: an implementation may round it to the type of the terms, or continue with
    /// it in the type in which it is kept. Later steps have the precision of the terms.
    pub fn finish_inside(self) -> Real {
        let dtype = self.dtype;
        let kept = self.finish_kept();
        if kept.dtype == dtype { kept } else { kept.at_precision(dtype).hull(kept.to_dtype(dtype)) }
    }

    /// Returns the sum where a finite term, or the sum of some terms, is too large even for float64. The sum is
    /// infinite, unless terms of the other sign bring it back into range before an implementation rounds it.
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

    /// Returns the sum as it is kept, before it is rounded to the type of the terms. Later steps have the precision of
    /// the type in which it is kept.
    pub fn finish_kept(self) -> Real {
        self.finish_as_kept().real
    }

    /// Divides every term by two to the power [`ROOM`], so that no partial sum overflows, and returns the sum of these
    /// terms as it is kept. A sum beyond float64 stays infinite.
    pub fn finish_with_room(self) -> Real {
        self.scaled(power_of_two(-ROOM)).finish_kept()
    }

    fn finish_as_kept(self) -> Kept {
        let base = Real::constant(0.0, self.keeps);
        let wrap = |real| Kept { real, dtype: self.dtype };
        if self.nan || self.infinite == [true, true] {
            return wrap(Real { low: f64::NAN, mid: f64::NAN, high: f64::NAN, nan: true, ..base });
        }
        if self.infinite != [false, false] {
            let infinity = if self.infinite[0] { f64::INFINITY } else { f64::NEG_INFINITY };
            // The other terms cannot change an infinite sum, unless one of them, or their sum, may be an infinity of
            // the other sign.
            let other = usize::from(self.infinite[0]);
            let format = FloatFormat::for_dtype(self.keeps);
            let sum = [self.positive, self.negative][other];
            let other = self.overflowing[other]
                || self.beyond[other]
                || format.is_some_and(|f| sum * (1.0 + 1e-6) > f.max_finite());
            return wrap(Real { low: infinity, mid: infinity, high: infinity, nan: self.maybe_nan || other, ..base });
        }
        if self.beyond != [false, false] || !(self.sum + self.compensation).is_finite() {
            return wrap(self.beyond_every_type());
        }
        let format = FloatFormat::for_dtype(self.keeps)
            .unwrap_or_else(|| FloatFormat::for_dtype(DType::Double).expect("double is a floating-point type"));
        let magnitude = self.positive + self.negative;
        let mid = self.sum + self.compensation;
        let precision = format.precision() as i32;
        // A magnitude that float64 cannot represent may have been rounded down to the limit.
        let limit = power_of_two(self.quantum.saturating_add(precision).min(1023));
        let below_limit = magnitude < limit || magnitude == limit && self.keeps != DType::Double;
        let representable =
            self.exact && self.quantum >= trailing_exponent(format.min_positive()) && (magnitude == 0.0 || below_limit);
        let mut err = 0.0;
        if !representable {
            let unit = power_of_two(-precision);
            let additions = precision::roundings(self.count.saturating_sub(1) as f64);
            let gamma = additions * unit / (1.0 - additions * unit).max(0.5);
            err = gamma * magnitude + unit * self.roundings * (1.0 + gamma);
            // In the range of the subnormal numbers, the rounding error of a product is at most half of the smallest
            // subnormal number. For double, the products in `mid` are rounded as well. Terms that are not exact may be
            // products as well: a fused step adds one before it is rounded, and rounds the sum in its place.
            let steps = if self.roundings > 0.0 || !self.exact { self.count as f64 } else { 0.0 };
            err += format.min_positive() * if self.keeps == DType::Double { steps } else { steps / 2.0 };
            if self.keeps == DType::Double {
                err += 2.0 * unit * mid.abs();
            }
            // The sum itself is computed in float64, which adds an error.
            err *= 1.0 + 1e-8;
        }
        let mut low = mid + self.low - err;
        let mut high = mid + self.high + err;
        // Terms of one sign cannot have a sum of the other sign.
        if self.negative == 0.0 {
            low = low.max(0.0);
        }
        if self.positive == 0.0 {
            high = high.min(0.0);
        }
        let max = format.max_finite();
        let mut nan = self.maybe_nan;
        // An implementation may add all terms of one sign first, and that partial sum may overflow.
        let unit = power_of_two(-precision);
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
        let is_accepted = if self.astray.is_nan() { nan } else { low <= self.astray && self.astray <= high };
        let mid = if self.astray != 0.0 && is_accepted { self.astray } else { mid };
        wrap(Real { low, mid, high, nan, ..base })
    }
}

/// The exponent of the power of two by which [`Accumulator::finish_with_room`] divides. A sum of products of two floats
/// then stays in the range of float, and the terms that decide such a sum stay far above the subnormal numbers.
pub const ROOM: i32 = 160;

struct Kept {
    real: Real,
    dtype: DType,
}

impl Kept {
    fn in_dtype(self, f: impl Fn(Real, DType) -> Real) -> Real {
        if self.real.dtype == self.dtype { self.real } else { f(self.real, self.dtype) }
    }
}

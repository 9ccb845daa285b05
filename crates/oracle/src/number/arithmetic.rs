//! Arithmetic, rounding and conversion of [`Number`]s, and what becomes of an integer beyond the range of its type.

use plumbline_tensor::DType;

use super::{Allowed, Int, Number, NumberKind};
use crate::Label;
use crate::real::Real;

impl Number {
    /// Brings an integer that is beyond the range of its type back into it by wrapping. The rule `label` leaves open
    /// what becomes of such an integer: both ends of the range are outcomes too, because saturating arithmetic gives
    /// the nearer end, and a conversion from a wider type may give either end. Real numbers stay as they are.
    #[inline]
    pub fn wraps(self, label: Label) -> Number {
        match self.kind {
            NumberKind::Int(x) => self.wraps_int(x, label),
            NumberKind::Real(_) => self,
        }
    }

    fn wraps_int(self, x: Int, label: Label) -> Number {
        if self.latitude.is_some() {
            return self.each_way(|x| x.wraps(label));
        }
        let Some((low, high)) = x.dtype.integer_range() else { return self };
        if x.low >= low && x.high <= high {
            return self;
        }
        self.overflowed(label)
    }

    /// Does the same as [`Number::wraps`] for an integer that may be beyond the range of its type, and of which only
    /// the lower bits are known.
    pub fn overflowed(self, label: Label) -> Number {
        let Some((low, high)) = self.dtype().integer_range() else { return self };
        self.wrapped().or(Allowed::int(low).with(Allowed::int(high)), label)
    }

    /// Brings an integer that is beyond the range of its type back into it by wrapping, as the specification asks.
    pub fn wrapped(self) -> Number {
        self.each(|kind| match kind {
            NumberKind::Int(x) => {
                let [low, mid, high] = [x.low, x.mid, x.high].map(|value| wrap(value, x.dtype));
                // A range that reaches beyond an end of the type continues at the other end.
                let (low, high) = match x.dtype.integer_range() {
                    Some((least, most)) if low > high || x.high.saturating_sub(x.low) > most - least => (least, most),
                    _ => (low, high),
                };
                NumberKind::Int(Int { low, mid, high, dtype: x.dtype })
            }
            real => real,
        })
    }

    /// Returns `|x|`. The magnitude of the smallest integer is beyond the range of its type (see [`Number::wraps`]).
    pub fn abs(self) -> Number {
        match self.kind {
            NumberKind::Int(x) if x.low < 0 && x.high > 0 => {
                self.each_way(|x| x.apply(i128::abs, Real::abs).hull(x.like(0.0)))
            }
            _ => self.apply(i128::abs, Real::abs),
        }
    }

    /// Returns the sign: `-1`, `0` or `1`; zeros and NaN stay as they are.
    pub fn sign(self) -> Number {
        let sign = |x: f64| {
            if x > 0.0 {
                1.0
            } else if x < 0.0 {
                -1.0
            } else {
                x
            }
        };
        self.apply(i128::signum, |x| x.stepped(sign))
    }

    /// Returns the largest integer that is not above the number.
    pub fn floor(self) -> Number {
        self.apply(|x| x, |x| x.stepped(libm::floor))
    }

    /// Returns the smallest integer that is not below the number.
    pub fn ceil(self) -> Number {
        self.apply(|x| x, |x| x.stepped(libm::ceil))
    }

    /// Rounds to the nearest integer, ties to even.
    pub fn round(self) -> Number {
        self.apply(|x| x, |x| x.stepped(f64::round_ties_even))
    }

    /// Rounds towards zero.
    pub fn trunc(self) -> Number {
        self.apply(|x| x, |x| x.stepped(libm::trunc))
    }

    /// Converts to a float type: makes an exact real number of an integer, and rounds the real number to the type. The
    /// Cast kernel does the conversions to integers and bool.
    pub fn to_float(self, dtype: DType) -> Number {
        self.each(|kind| NumberKind::Real(Number { kind, latitude: None }.real().to_dtype(dtype)))
    }

    /// Returns the same number, unrounded. Later steps with it have the precision of `dtype`. Integers become real
    /// numbers.
    pub fn at_precision(self, dtype: DType) -> Number {
        self.each(|kind| NumberKind::Real(Number { kind, latitude: None }.real().at_precision(dtype)))
    }

    /// Rounds a real number and the ends of its interval to the nearest numbers of the type, as storing it in a tensor
    /// does.
    pub fn nearest(self) -> Number {
        self.map_real(Real::nearest)
    }

    /// Returns `self ^ y` for real numbers.
    pub fn power(self, y: Number) -> Number {
        self.of_reals(y, Real::power)
    }

    /// Returns the remainder of a division of real numbers, which has the sign of the dividend.
    pub fn fmod(self, y: Number) -> Number {
        self.of_reals(y, Real::fmod)
    }

    /// Returns this product of `a` and `b`, of which at least one is a range of integers. The products of the ends say
    /// nothing about the others if they wrap around in 128 bits.
    fn of_ranges(self, a: &Number, b: &Number) -> Number {
        let wraps = a.widest().abs().high * b.widest().abs().high >= 2f64.powi(126);
        if wraps { self.or_whole_range().wrapped() } else { self }
    }

    /// Applies a function of two real numbers; integers become real numbers first.
    fn of_reals(self, y: Number, f: impl Fn(Real, Real) -> Real) -> Number {
        let real = |kind| Number { kind, latitude: None }.real();
        self.cross(y, |a, b| NumberKind::Real(f(real(a), real(b))))
    }
}

/// Brings a value into the range of an integer type by wrapping: modulo 2^n for a type of n bits.
pub fn wrap(value: i128, dtype: DType) -> i128 {
    let Some((low, high)) = dtype.integer_range() else { return value };
    // The number of values of the type divides 2^128, so that the wrapping of i128 changes nothing.
    value.wrapping_sub(low).rem_euclid(high - low + 1) + low
}

impl std::ops::Add for Number {
    type Output = Number;
    #[inline]
    fn add(self, b: Number) -> Number {
        self.combine(b, i128::wrapping_add, Real::plus)
    }
}

impl std::ops::Sub for Number {
    type Output = Number;
    #[inline]
    fn sub(self, b: Number) -> Number {
        self.combine(b, i128::wrapping_sub, Real::minus)
    }
}

impl std::ops::Mul for Number {
    type Output = Number;
    #[inline]
    fn mul(self, b: Number) -> Number {
        let product = self.combine(b, i128::wrapping_mul, Real::times);
        let is_range = |x: &Number| matches!(x.kind, NumberKind::Int(x) if x.low != x.high);
        if is_range(&self) || is_range(&b) { product.of_ranges(&self, &b) } else { product }
    }
}

/// Integer division truncates towards zero. Division by zero gives 0 here; the kernel decides what is allowed then.
impl std::ops::Div for Number {
    type Output = Number;
    #[inline]
    fn div(self, b: Number) -> Number {
        self.combine(b, |x, y| x.checked_div(y).unwrap_or(0), Real::over)
    }
}

impl std::ops::Neg for Number {
    type Output = Number;
    fn neg(self) -> Number {
        self.apply(i128::wrapping_neg, Real::neg)
    }
}

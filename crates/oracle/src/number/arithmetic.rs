//! Arithmetic, rounding and conversion of numbers; the ranges of integers.

use plumbline_tensor::DType;

use super::{Allowed, Int, Kind, Number};
use crate::Label;
use crate::real::Real;

impl Number {
    /// Brings an integer that left its type's range back by wrapping. The specification leaves that open (`label`): an end of the range is
    /// the other outcome, as arithmetic that saturates gives the nearer end, and conversion from a wider type either end. Real numbers stay.
    pub fn wraps(self, label: Label) -> Number {
        let Kind::Int(x) = self.kind else { return self };
        let Some((low, high)) = x.dtype.integer_range() else { return self };
        if x.low >= low && x.high <= high {
            return self;
        }
        self.overflowed(label)
    }

    /// The same of an integer of which only the lower bits are known, and that it may be outside of its type's range.
    pub fn overflowed(self, label: Label) -> Number {
        let Some((low, high)) = self.dtype().integer_range() else { return self };
        self.wrapped().allowing(Allowed::int(low).with(Allowed::int(high)), label)
    }

    /// Brings an integer that left its type's range back by wrapping, as the specification says.
    pub fn wrapped(self) -> Number {
        self.each(|kind| match kind {
            Kind::Int(x) => {
                let value = wrap(x.mid, x.dtype);
                let inside = x.dtype.integer_range().is_none_or(|(low, high)| low <= x.low && x.high <= high);
                let (low, high) = if inside { (x.low, x.high) } else { (value, value) };
                Kind::Int(Int { low, mid: value, high, dtype: x.dtype })
            }
            real => real,
        })
    }

    /// `|x|`; integers exactly (the smallest one leaves its range: [`Number::wraps`]).
    pub fn abs(self) -> Number {
        self.apply(i128::abs, Real::abs)
    }

    /// `-1`, `0` or `1`.
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

    /// Largest integer not above.
    pub fn floor(self) -> Number {
        self.apply(|x| x, |x| x.stepped(libm::floor))
    }

    /// Smallest integer not below.
    pub fn ceil(self) -> Number {
        self.apply(|x| x, |x| x.stepped(libm::ceil))
    }

    /// Nearest integer, ties to even.
    pub fn round(self) -> Number {
        self.apply(|x| x, |x| x.stepped(f64::round_ties_even))
    }

    /// Towards zero.
    pub fn trunc(self) -> Number {
        self.apply(|x| x, |x| x.stepped(libm::trunc))
    }

    /// Another type, rounded to it where it is a float; integers become real ones exactly and are then rounded.
    /// Conversions to integers and bool belong to the Cast kernel.
    pub fn to_float(self, dtype: DType) -> Number {
        self.each(|kind| Kind::Real(Number { kind, latitude: None }.real().to_dtype(dtype)))
    }

    /// The same number with later steps at another precision; no rounding. Integers become real numbers.
    pub fn at_precision(self, dtype: DType) -> Number {
        self.each(|kind| Kind::Real(Number { kind, latitude: None }.real().at_precision(dtype)))
    }

    /// Stored at the working type: both ends rounded to nearest.
    pub fn nearest(self) -> Number {
        self.map_real(Real::nearest)
    }

    /// `self ^ y` of real numbers.
    pub fn power(self, y: Number) -> Number {
        self.of_reals(y, Real::power)
    }

    /// The remainder with the sign of the dividend, of real numbers.
    pub fn fmod(self, y: Number) -> Number {
        self.of_reals(y, Real::fmod)
    }

    /// A function of two real numbers; integers become real ones.
    fn of_reals(self, y: Number, f: impl Fn(Real, Real) -> Real) -> Number {
        let real = |kind| Number { kind, latitude: None }.real();
        self.cross(y, |a, b| Kind::Real(f(real(a), real(b))))
    }
}

/// Brings a value into the range of an integer type, modulo two to the number of its bits.
pub fn wrap(value: i128, dtype: DType) -> i128 {
    let Some((low, high)) = dtype.integer_range() else { return value };
    // The span divides two to the 128, so that wrapping here changes nothing.
    value.wrapping_sub(low).rem_euclid(high - low + 1) + low
}

impl std::ops::Add for Number {
    type Output = Number;
    fn add(self, b: Number) -> Number {
        self.combine(b, i128::wrapping_add, Real::plus)
    }
}

impl std::ops::Sub for Number {
    type Output = Number;
    fn sub(self, b: Number) -> Number {
        self.combine(b, i128::wrapping_sub, Real::minus)
    }
}

impl std::ops::Mul for Number {
    type Output = Number;
    fn mul(self, b: Number) -> Number {
        self.combine(b, i128::wrapping_mul, Real::times)
    }
}

/// Integers divide towards zero; by zero they stay 0, which is for the kernel to label.
impl std::ops::Div for Number {
    type Output = Number;
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

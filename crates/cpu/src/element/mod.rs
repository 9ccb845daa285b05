//! Elements as this machine computes with them: 16-bit floats in float32, rounded once.

mod dispatch;
mod exp;
mod integer;
mod odd;
mod total;

use bytemuck::Pod;
use half::{bf16, f16};

pub use dispatch::no_type;
pub use dispatch::{with_bits, with_float, with_integer, with_number};
pub use exp::scaled_exp;
pub use integer::Integer;
use odd::to_odd;
pub use total::Sum;

/// A number the machine computes with.
pub trait Number: Pod + Send + Sync + PartialEq + PartialOrd {
    /// 0.
    fn zero() -> Self;
    /// 1.
    fn one() -> Self;
    /// The sum; integers wrap.
    fn add(self, other: Self) -> Self;
    /// The difference; integers wrap.
    fn sub(self, other: Self) -> Self;
    /// The product; integers wrap.
    fn mul(self, other: Self) -> Self;
    /// The quotient; of integers without its fraction, 0 by 0, and wrapped.
    fn div(self, other: Self) -> Self;
    /// The remainder with the sign of the divisor; of integers by zero 0.
    fn modulo(self, other: Self) -> Self;
    /// The remainder with the sign of the dividend; of integers by zero 0.
    fn remainder(self, other: Self) -> Self;
    /// Less than nothing; integers wrap.
    fn neg(self) -> Self;
    /// Without the sign; integers wrap.
    fn abs(self) -> Self;
    /// -1, 0 or 1, and NaN of NaN.
    fn signum(self) -> Self;
    /// Whether it is NaN.
    fn is_nan(self) -> bool;
    /// As float64, rounded where it has more digits.
    fn to_f64(self) -> f64;
    /// The nearest number; of integers without the fraction, at the end of the range where it is outside.
    fn nearest(x: f64) -> Self;

    /// The larger one; NaN where either is.
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        if self > other || self.is_nan() { self } else { other }
    }

    /// The smaller one; NaN where either is.
    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        if self < other || self.is_nan() { self } else { other }
    }
}

/// A floating-point number, and the one it is computed in.
pub trait Float: Number {
    /// float32, or float64 for float64.
    type Wide: Wide;
    /// The same number.
    fn wide(self) -> Self::Wide;
    /// The nearest number.
    fn narrow(wide: Self::Wide) -> Self;
}

/// A float the machine has functions of.
pub trait Wide: Float<Wide = Self> {
    /// The nearest number of this type.
    fn of(x: f64) -> Self;
    /// Largest integer not above.
    fn floor(self) -> Self;
    /// Smallest integer not below.
    fn ceil(self) -> Self;
    /// Without the fraction.
    fn trunc(self) -> Self;
    /// The nearest integer, ties to even.
    fn round_ties_even(self) -> Self;
    /// Square root.
    fn sqrt(self) -> Self;
    /// e to this.
    fn exp(self) -> Self;
    /// e to this, less 1.
    fn exp_m1(self) -> Self;
    /// Natural logarithm.
    fn ln(self) -> Self;
    /// Natural logarithm of 1 more.
    fn ln_1p(self) -> Self;
    /// Power.
    fn powf(self, exponent: Self) -> Self;
    /// Sine.
    fn sin(self) -> Self;
    /// Cosine.
    fn cos(self) -> Self;
    /// Tangent.
    fn tan(self) -> Self;
    /// Inverse sine.
    fn asin(self) -> Self;
    /// Inverse cosine.
    fn acos(self) -> Self;
    /// Inverse tangent.
    fn atan(self) -> Self;
    /// Hyperbolic sine.
    fn sinh(self) -> Self;
    /// Hyperbolic cosine.
    fn cosh(self) -> Self;
    /// Hyperbolic tangent.
    fn tanh(self) -> Self;
    /// Inverse hyperbolic sine.
    fn asinh(self) -> Self;
    /// Inverse hyperbolic cosine.
    fn acosh(self) -> Self;
    /// Inverse hyperbolic tangent.
    fn atanh(self) -> Self;
    /// Error function.
    fn erf(self) -> Self;
    /// 1 less the error function.
    fn erfc(self) -> Self;
    /// The sign of `sign`, the size of this.
    fn copysign(self, sign: Self) -> Self;
    /// Whether it is an infinity.
    fn is_infinite(self) -> bool;
}

macro_rules! wide {
    ($($t:ident, $erf:path, $erfc:path, $asinh:path, $acosh:path, $atanh:path, $fmod:path;)*) => {$(
        impl Number for $t {
            #[inline(always)] fn zero() -> $t { 0.0 }
            #[inline(always)] fn one() -> $t { 1.0 }
            #[inline(always)] fn add(self, other: $t) -> $t { self + other }
            #[inline(always)] fn sub(self, other: $t) -> $t { self - other }
            #[inline(always)] fn mul(self, other: $t) -> $t { self * other }
            #[inline(always)] fn div(self, other: $t) -> $t { self / other }
            fn modulo(self, other: $t) -> $t {
                let r = $fmod(self, other);
                match r {
                    0.0 => $t::copysign(0.0, other),
                    _ if (r < 0.0) != (other < 0.0) => r + other,
                    _ => r,
                }
            }
            fn remainder(self, other: $t) -> $t { $fmod(self, other) }
            #[inline(always)] fn neg(self) -> $t { -self }
            #[inline(always)] fn abs(self) -> $t { $t::abs(self) }
            #[inline(always)] fn signum(self) -> $t {
                if self > 0.0 { 1.0 } else if self < 0.0 { -1.0 } else { self }
            }
            #[inline(always)] fn is_nan(self) -> bool { $t::is_nan(self) }
            #[inline(always)] fn to_f64(self) -> f64 { f64::from(self) }
            #[inline(always)] fn nearest(x: f64) -> $t { x as $t }
        }
        impl Float for $t {
            type Wide = $t;
            #[inline(always)] fn wide(self) -> $t { self }
            #[inline(always)] fn narrow(wide: $t) -> $t { wide }
        }
        impl Wide for $t {
            #[inline(always)] fn of(x: f64) -> $t { x as $t }
            #[inline(always)] fn floor(self) -> $t { $t::floor(self) }
            #[inline(always)] fn ceil(self) -> $t { $t::ceil(self) }
            #[inline(always)] fn trunc(self) -> $t { $t::trunc(self) }
            #[inline(always)] fn round_ties_even(self) -> $t { $t::round_ties_even(self) }
            #[inline(always)] fn sqrt(self) -> $t { $t::sqrt(self) }
            fn exp(self) -> $t { $t::exp(self) }
            fn exp_m1(self) -> $t { $t::exp_m1(self) }
            fn ln(self) -> $t { $t::ln(self) }
            fn ln_1p(self) -> $t { $t::ln_1p(self) }
            fn powf(self, exponent: $t) -> $t { $t::powf(self, exponent) }
            fn sin(self) -> $t { $t::sin(self) }
            fn cos(self) -> $t { $t::cos(self) }
            fn tan(self) -> $t { $t::tan(self) }
            fn asin(self) -> $t { $t::asin(self) }
            fn acos(self) -> $t { $t::acos(self) }
            fn atan(self) -> $t { $t::atan(self) }
            fn sinh(self) -> $t { $t::sinh(self) }
            fn cosh(self) -> $t { $t::cosh(self) }
            fn tanh(self) -> $t { $t::tanh(self) }
            // Those of the standard library lose digits.
            fn asinh(self) -> $t { $asinh(self) }
            // That of libm has numbers for what is less than -2.
            fn acosh(self) -> $t { if self < 1.0 { $t::NAN } else { $acosh(self) } }
            fn atanh(self) -> $t { $atanh(self) }
            fn erf(self) -> $t { $erf(self) }
            fn erfc(self) -> $t { $erfc(self) }
            #[inline(always)] fn copysign(self, sign: $t) -> $t { $t::copysign(self, sign) }
            #[inline(always)] fn is_infinite(self) -> bool { $t::is_infinite(self) }
        }
    )*};
}

wide! {
    f32, libm::erff, libm::erfcf, libm::asinhf, libm::acoshf, libm::atanhf, libm::fmodf;
    f64, libm::erf, libm::erfc, libm::asinh, libm::acosh, libm::atanh, libm::fmod;
}

macro_rules! narrow {
    ($($t:ident)*) => {$(
        impl Number for $t {
            #[inline(always)] fn zero() -> $t { $t::ZERO }
            #[inline(always)] fn one() -> $t { $t::ONE }
            #[inline(always)] fn add(self, other: $t) -> $t { $t::from_f32(self.to_f32() + other.to_f32()) }
            #[inline(always)] fn sub(self, other: $t) -> $t { $t::from_f32(self.to_f32() - other.to_f32()) }
            #[inline(always)] fn mul(self, other: $t) -> $t { $t::from_f32(self.to_f32() * other.to_f32()) }
            #[inline(always)] fn div(self, other: $t) -> $t { $t::from_f32(self.to_f32() / other.to_f32()) }
            fn modulo(self, other: $t) -> $t { $t::from_f32(Number::modulo(self.to_f32(), other.to_f32())) }
            fn remainder(self, other: $t) -> $t { $t::from_f32(Number::remainder(self.to_f32(), other.to_f32())) }
            #[inline(always)] fn neg(self) -> $t { $t::from_bits(self.to_bits() ^ 0x8000) }
            #[inline(always)] fn abs(self) -> $t { $t::from_bits(self.to_bits() & 0x7fff) }
            #[inline(always)] fn signum(self) -> $t { $t::from_f32(Number::signum(self.to_f32())) }
            #[inline(always)] fn is_nan(self) -> bool { $t::is_nan(self) }
            #[inline(always)] fn to_f64(self) -> f64 { f64::from(self.to_f32()) }
            #[inline(always)] fn nearest(x: f64) -> $t { $t::from_f32(to_odd(x)) }
        }
        impl Float for $t {
            type Wide = f32;
            #[inline(always)] fn wide(self) -> f32 { self.to_f32() }
            #[inline(always)] fn narrow(wide: f32) -> $t { $t::from_f32(wide) }
        }
    )*};
}

narrow! { f16 bf16 }

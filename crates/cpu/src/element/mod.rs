//! Numbers as this machine computes with them. Each operation on 16-bit floats is computed in float32, and its result
//! is rounded to 16 bits.

mod dispatch;
mod exp;
mod integer;
mod odd;

use bytemuck::Pod;
use half::{bf16, f16};

pub use dispatch::unsupported_type;
pub use dispatch::{with_bits, with_float, with_integer, with_number};
pub use exp::scaled_exp;
pub use integer::Integer;
use odd::to_odd;

/// A number that the machine computes with.
pub trait Number: Pod + Send + Sync + PartialEq + PartialOrd {
    /// Returns 0.
    fn zero() -> Self;
    /// Returns 1.
    fn one() -> Self;
    /// Returns the sum; integers wrap.
    fn add(self, other: Self) -> Self;
    /// Returns the difference; integers wrap.
    fn sub(self, other: Self) -> Self;
    /// Returns the product; integers wrap.
    fn mul(self, other: Self) -> Self;
    /// Returns the quotient. Integers drop the fraction and wrap; an integer divided by 0 gives 0.
    fn div(self, other: Self) -> Self;
    /// Returns the remainder with the sign of the divisor. An integer modulo 0 gives 0.
    fn modulo(self, other: Self) -> Self;
    /// Returns the remainder with the sign of the dividend. An integer modulo 0 gives 0.
    fn remainder(self, other: Self) -> Self;
    /// Returns the negated number; integers wrap.
    fn neg(self) -> Self;
    /// Returns the absolute value; integers wrap.
    fn abs(self) -> Self;
    /// Returns the sign: -1, 0 or 1, and NaN for NaN.
    fn signum(self) -> Self;
    /// Returns whether the number is NaN.
    fn is_nan(self) -> bool;
    /// Converts to float64, rounded to nearest if float64 has too few digits.
    fn to_f64(self) -> f64;
    /// Converts from float64. A float is rounded to the nearest number; an integer drops the fraction and saturates at
    /// the ends of its range, and is 0 for NaN.
    // Not `from_f64`: the types of `half` have a function of that name, which the compiler would call instead. That
    // function treats numbers right beside a tie as ties.
    fn from_double(x: f64) -> Self;

    /// Returns an integer by which numbers are ordered: ascending, with -0 equal to 0, and NaN last.
    fn ordinal(self) -> u64;

    /// Returns the larger number, or NaN if either is NaN.
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        if self > other || self.is_nan() { self } else { other }
    }

    /// Returns the smaller number, or NaN if either is NaN.
    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        if self < other || self.is_nan() { self } else { other }
    }
}

/// A floating-point number, with the type that its functions are computed in.
pub trait Float: Number {
    /// The type to compute in: float64 for float64, float32 for the others.
    type Wide: Wide;
    /// Converts to the type to compute in, without loss.
    fn wide(self) -> Self::Wide;
    /// Rounds to the nearest number of this type.
    fn narrow(wide: Self::Wide) -> Self;
}

/// A floating-point type for which the machine has mathematical functions.
pub trait Wide: Float<Wide = Self> {
    /// Returns the largest integer that is not above the number.
    fn floor(self) -> Self;
    /// Returns the smallest integer that is not below the number.
    fn ceil(self) -> Self;
    /// Returns the number without its fraction.
    fn trunc(self) -> Self;
    /// Returns the nearest integer, with ties to even.
    fn round_ties_even(self) -> Self;
    /// Returns the square root.
    fn sqrt(self) -> Self;
    /// Returns e to the power of the number.
    fn exp(self) -> Self;
    /// Returns e to the power of the number, minus 1.
    fn exp_m1(self) -> Self;
    /// Returns the natural logarithm.
    fn ln(self) -> Self;
    /// Returns the natural logarithm of 1 plus the number.
    fn ln_1p(self) -> Self;
    /// Returns the number to the power of `exponent`.
    fn powf(self, exponent: Self) -> Self;
    /// Returns the sine.
    fn sin(self) -> Self;
    /// Returns the cosine.
    fn cos(self) -> Self;
    /// Returns the tangent.
    fn tan(self) -> Self;
    /// Returns the inverse sine.
    fn asin(self) -> Self;
    /// Returns the inverse cosine.
    fn acos(self) -> Self;
    /// Returns the inverse tangent.
    fn atan(self) -> Self;
    /// Returns the hyperbolic sine.
    fn sinh(self) -> Self;
    /// Returns the hyperbolic cosine.
    fn cosh(self) -> Self;
    /// Returns the hyperbolic tangent.
    fn tanh(self) -> Self;
    /// Returns the inverse hyperbolic sine.
    fn asinh(self) -> Self;
    /// Returns the inverse hyperbolic cosine.
    fn acosh(self) -> Self;
    /// Returns the inverse hyperbolic tangent.
    fn atanh(self) -> Self;
    /// Returns the error function.
    fn erf(self) -> Self;
    /// Returns 1 minus the error function.
    fn erfc(self) -> Self;
    /// Returns the number with the sign of `sign`.
    fn copysign(self, sign: Self) -> Self;
    /// Returns whether the number is positive or negative infinity.
    fn is_infinite(self) -> bool;
}

/// Computes [`Number::ordinal`] of a float. The caller has converted the float to float64, which loses nothing.
fn ordinal(x: f64) -> u64 {
    // Adding 0 turns -0 into 0.
    match (x + 0.0).to_bits() {
        _ if x.is_nan() => u64::MAX,
        negative if negative >> 63 == 1 => !negative,
        positive => positive | 1 << 63,
    }
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
            #[inline(always)] fn from_double(x: f64) -> $t { x as $t }
            #[inline(always)] fn ordinal(self) -> u64 { ordinal(f64::from(self)) }
        }
        impl Float for $t {
            type Wide = $t;
            #[inline(always)] fn wide(self) -> $t { self }
            #[inline(always)] fn narrow(wide: $t) -> $t { wide }
        }
        impl Wide for $t {
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
            // The inverse hyperbolic functions of the standard library lose digits.
            fn asinh(self) -> $t { $asinh(self) }
            // For some numbers below -2, libm returns a number instead of NaN, because the terms of its formula cancel.
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
            #[inline(always)] fn from_double(x: f64) -> $t { $t::from_f32(to_odd(x)) }
            #[inline(always)] fn ordinal(self) -> u64 { ordinal(f64::from(self.to_f32())) }
        }
        impl Float for $t {
            type Wide = f32;
            #[inline(always)] fn wide(self) -> f32 { self.to_f32() }
            #[inline(always)] fn narrow(wide: f32) -> $t { $t::from_f32(wide) }
        }
    )*};
}

narrow! { f16 bf16 }

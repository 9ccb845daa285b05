//! Integers of 8 to 64 bits.

use super::Number;

/// An integer with its bitwise operations.
pub trait Integer: Number {
    /// Returns the bitwise AND.
    fn and(self, other: Self) -> Self;
    /// Returns the bitwise OR.
    fn or(self, other: Self) -> Self;
    /// Returns the bitwise exclusive OR.
    fn xor(self, other: Self) -> Self;
    /// Returns the bitwise complement.
    fn not(self) -> Self;
    /// Shifts the bits to the left. A negative count, or one of at least the width, gives 0.
    fn left(self, count: Self) -> Self;
    /// Shifts the bits to the right and fills with copies of the sign bit (zeros if unsigned). A negative count, or one
    /// of at least the width, leaves only these copies.
    fn right(self, count: Self) -> Self;
    /// Converts a number by keeping its low bits.
    fn wrap(x: i128) -> Self;
    /// Converts to a wider integer without loss.
    fn to_i128(self) -> i128;
    /// Returns the power by repeated squaring; it wraps on overflow. With a negative exponent the result is the exact
    /// power without its fraction; a base of 0 gives 0.
    fn power(self, exponent: i64) -> Self {
        if exponent < 0 {
            return match self.to_i128() {
                1 => Self::one(),
                -1 if exponent % 2 == 0 => Self::one(),
                -1 => self,
                _ => Self::zero(),
            };
        }
        let (mut base, mut left, mut power) = (self, exponent as u64, Self::one());
        while left > 0 {
            if left & 1 == 1 {
                power = power.mul(base);
            }
            base = base.mul(base);
            left >>= 1;
        }
        power
    }
}

macro_rules! integers {
    ($($t:ident $signed:literal $neg:expr, $abs:expr, $signum:expr;)*) => {$(
        impl Number for $t {
            #[inline(always)] fn zero() -> $t { 0 }
            #[inline(always)] fn one() -> $t { 1 }
            #[inline(always)] fn add(self, other: $t) -> $t { self.wrapping_add(other) }
            #[inline(always)] fn sub(self, other: $t) -> $t { self.wrapping_sub(other) }
            #[inline(always)] fn mul(self, other: $t) -> $t { self.wrapping_mul(other) }
            #[inline(always)] fn div(self, other: $t) -> $t {
                if other == 0 { 0 } else { self.wrapping_div(other) }
            }
            #[inline(always)] fn modulo(self, other: $t) -> $t {
                let r = self.remainder(other);
                #[allow(unused_comparisons)]
                if r != 0 && (r < 0) != (other < 0) { r.wrapping_add(other) } else { r }
            }
            #[inline(always)] fn remainder(self, other: $t) -> $t {
                if other == 0 { 0 } else { self.wrapping_rem(other) }
            }
            #[inline(always)] fn neg(self) -> $t { self.wrapping_neg() }
            #[inline(always)] fn abs(self) -> $t { $abs(self) }
            #[inline(always)] fn signum(self) -> $t { $signum(self) }
            #[inline(always)] fn is_nan(self) -> bool { false }
            #[inline(always)] fn to_f64(self) -> f64 { self as f64 }
            #[inline(always)] fn from_double(x: f64) -> $t { x as $t }
            #[inline(always)] fn ordinal(self) -> u64 { self as u64 ^ u64::from($signed) << 63 }
        }
        impl Integer for $t {
            #[inline(always)] fn and(self, other: $t) -> $t { self & other }
            #[inline(always)] fn or(self, other: $t) -> $t { self | other }
            #[inline(always)] fn xor(self, other: $t) -> $t { self ^ other }
            #[inline(always)] fn not(self) -> $t { !self }
            #[inline(always)] fn left(self, count: $t) -> $t {
                u32::try_from(count).ok().and_then(|n| self.checked_shl(n)).unwrap_or(0)
            }
            #[inline(always)] fn right(self, count: $t) -> $t {
                u32::try_from(count).ok().and_then(|n| self.checked_shr(n)).unwrap_or(self >> ($t::BITS - 1) >> (!$signed) as u32)
            }
            #[inline(always)] fn wrap(x: i128) -> $t { x as $t }
            #[inline(always)] fn to_i128(self) -> i128 { self as i128 }
        }
    )*};
}

integers! {
    i8 true i8::wrapping_neg, i8::wrapping_abs, i8::signum;
    i16 true i16::wrapping_neg, i16::wrapping_abs, i16::signum;
    i32 true i32::wrapping_neg, i32::wrapping_abs, i32::signum;
    i64 true i64::wrapping_neg, i64::wrapping_abs, i64::signum;
    u8 false u8::wrapping_neg, std::convert::identity, |x: u8| x.min(1);
    u16 false u16::wrapping_neg, std::convert::identity, |x: u16| x.min(1);
    u32 false u32::wrapping_neg, std::convert::identity, |x: u32| x.min(1);
    u64 false u64::wrapping_neg, std::convert::identity, |x: u64| x.min(1);
}

//! The layouts of binary floating-point types, from float64 down to 4 bits, and the decoding of their bit patterns. The
//! module `float_encode` rounds to these types.

use crate::DType;

/// What rounding does with a value beyond the largest finite one. The rules are those of the tables of ONNX's Cast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saturation {
    /// The value becomes infinity, or NaN if the type has no infinity, or the largest finite value if it has neither.
    /// Cast uses this with `saturate = 0`, and always for types other than the 8-bit floats.
    None,
    /// The value becomes the largest finite value of its sign, even if it is infinite. Cast uses this with
    /// `saturate = 1`: Cast-24 and later for all 8-bit floats, earlier versions only for those without `uz` in their
    /// name.
    Saturate,
    /// A finite value becomes the largest finite value of its sign. An infinity becomes the same as with
    /// [`Saturation::None`]. Cast-19 to -23 use this with `saturate = 1` for float8e4m3fnuz and float8e5m2fnuz, where
    /// infinity becomes NaN.
    SaturateFinite,
}

/// Which bit patterns of a format are infinities or NaNs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Specials {
    /// The largest exponent holds infinities and NaNs (IEEE 754).
    Ieee,
    /// A pattern is NaN if all its bits apart from the sign are set. There is no infinity (`fn`).
    NanAllOnes,
    /// The pattern of negative zero is the only NaN. There is no infinity and no negative zero (`fnuz`).
    NanNegativeZero,
    /// Every pattern is finite.
    Finite,
    /// The type holds unsigned powers of two, and the pattern with all bits set is NaN (`e8m0`).
    Exponent,
}

/// The layout of a binary floating-point type of at most 64 bits.
#[derive(Clone, Copy, Debug)]
pub struct FloatFormat {
    /// The number of bits of the exponent field.
    pub exponent_bits: u32,
    /// The number of stored bits of the significand.
    pub mantissa_bits: u32,
    /// The number that is subtracted from the exponent field.
    pub bias: i32,
    pub(crate) specials: Specials,
    /// The largest finite value.
    max_finite: f64,
}

const fn format(exponent_bits: u32, mantissa_bits: u32, bias: i32, specials: Specials, max_finite: f64) -> FloatFormat {
    FloatFormat { exponent_bits, mantissa_bits, bias, specials, max_finite }
}

static FLOAT64: FloatFormat = format(11, 52, 1023, Specials::Ieee, f64::MAX);
static FLOAT32: FloatFormat = format(8, 23, 127, Specials::Ieee, f32::MAX as f64);
static FLOAT16: FloatFormat = format(5, 10, 15, Specials::Ieee, 65504.0);
static BFLOAT16: FloatFormat = format(8, 7, 127, Specials::Ieee, 3.3895313892515355e38);
static TF32: FloatFormat = format(8, 10, 127, Specials::Ieee, 3.4011621342146535e38);
static E4M3FN: FloatFormat = format(4, 3, 7, Specials::NanAllOnes, 448.0);
static E4M3FNUZ: FloatFormat = format(4, 3, 8, Specials::NanNegativeZero, 240.0);
static E5M2: FloatFormat = format(5, 2, 15, Specials::Ieee, 57344.0);
static E5M2FNUZ: FloatFormat = format(5, 2, 16, Specials::NanNegativeZero, 57344.0);
static E8M0: FloatFormat = format(8, 0, 127, Specials::Exponent, f64::from_bits((1023 + 127) << 52));
static E2M3: FloatFormat = format(2, 3, 1, Specials::Finite, 7.5);
static E3M2: FloatFormat = format(3, 2, 3, Specials::Finite, 28.0);
static E2M1: FloatFormat = format(2, 1, 1, Specials::Finite, 6.0);

/// Returns `2^exponent` as float64: infinity above the range of float64, and zero below its smallest subnormal.
#[inline]
pub const fn power_of_two(exponent: i32) -> f64 {
    if exponent > 1023 {
        f64::INFINITY
    } else if exponent >= -1022 {
        f64::from_bits(((exponent + 1023) as u64) << 52)
    } else if exponent >= -1074 {
        f64::from_bits(1u64 << (exponent + 1074))
    } else {
        0.0
    }
}

impl FloatFormat {
    /// Returns the layout of a floating-point element type, or `None` for other types.
    #[inline]
    pub fn for_dtype(dtype: DType) -> Option<&'static FloatFormat> {
        Some(match dtype {
            DType::Double => &FLOAT64,
            DType::Float => &FLOAT32,
            DType::Float16 => &FLOAT16,
            DType::Bfloat16 => &BFLOAT16,
            DType::Float8e4m3fn => &E4M3FN,
            DType::Float8e4m3fnuz => &E4M3FNUZ,
            DType::Float8e5m2 => &E5M2,
            DType::Float8e5m2fnuz => &E5M2FNUZ,
            DType::Float8e8m0 => &E8M0,
            DType::Float6e2m3 => &E2M3,
            DType::Float6e3m2 => &E3M2,
            DType::Float4e2m1 => &E2M1,
            _ => return None,
        })
    }

    /// Returns the layout of TensorFloat-32, to which matrix units round float. No tensor has this type.
    pub fn tf32() -> &'static FloatFormat {
        &TF32
    }

    /// Returns the number of bits of the significand, including the implicit leading bit.
    #[inline]
    pub fn precision(&self) -> u32 {
        self.mantissa_bits + 1
    }

    /// Returns whether the type has a sign bit.
    pub fn is_signed(&self) -> bool {
        self.specials != Specials::Exponent
    }

    /// Returns whether the type has infinities.
    pub fn has_infinity(&self) -> bool {
        self.specials == Specials::Ieee
    }

    /// Returns whether the type has a NaN.
    pub fn has_nan(&self) -> bool {
        self.specials != Specials::Finite
    }

    /// Returns whether the type distinguishes -0 from +0.
    pub fn has_negative_zero(&self) -> bool {
        matches!(self.specials, Specials::Ieee | Specials::NanAllOnes | Specials::Finite)
    }

    /// Returns the exponent of the smallest normal number.
    #[inline]
    pub fn min_exponent(&self) -> i32 {
        if self.specials == Specials::Exponent { -self.bias } else { 1 - self.bias }
    }

    /// Returns the largest finite value.
    #[inline]
    pub fn max_finite(&self) -> f64 {
        self.max_finite
    }

    /// Returns the smallest positive value, which is subnormal if the type has subnormals.
    #[inline]
    pub fn min_positive(&self) -> f64 {
        if self.specials == Specials::Exponent {
            power_of_two(-self.bias)
        } else {
            power_of_two(self.min_exponent() - self.mantissa_bits as i32)
        }
    }

    /// Returns the smallest positive normal value.
    #[inline]
    pub fn min_normal(&self) -> f64 {
        power_of_two(self.min_exponent())
    }

    /// Returns the distance between neighbouring values of this type around `x`. At a power of two, it is the distance
    /// to the neighbour of larger magnitude. Near zero, it is the smallest positive value. For an infinity or NaN, it
    /// is the distance at the largest finite value.
    #[inline]
    pub fn ulp(&self, x: f64) -> f64 {
        if !x.is_finite() {
            return self.ulp(self.max_finite);
        }
        // The power of two at or below `|x|`, or 0 if `x` is subnormal in float64.
        let power = f64::from_bits(x.to_bits() & (0x7ff << 52));
        (power * power_of_two(-(self.mantissa_bits as i32))).max(self.min_positive())
    }

    pub(crate) fn sign_shift(&self) -> u32 {
        self.exponent_bits + self.mantissa_bits
    }

    pub(crate) fn max_finite_bits(&self) -> u64 {
        let all = (1u64 << self.sign_shift()) - 1;
        match self.specials {
            Specials::Ieee => (((1u64 << self.exponent_bits) - 1) << self.mantissa_bits) - 1,
            Specials::NanAllOnes | Specials::Exponent => all - 1,
            Specials::NanNegativeZero | Specials::Finite => all,
        }
    }

    /// Returns the pattern that every NaN becomes: the positive quiet NaN, or the only NaN of the type. If the type has
    /// no NaN, ONNX does not decide the result. The pattern is then negative zero, because `ml_dtypes`, which ONNX's
    /// ReferenceEvaluator uses, turns a positive NaN into negative zero.
    pub(crate) fn nan_bits(&self) -> u64 {
        match self.specials {
            Specials::Ieee => {
                ((1u64 << self.exponent_bits) - 1) << self.mantissa_bits
                    | 1u64 << (self.mantissa_bits.saturating_sub(1))
            }
            Specials::NanAllOnes | Specials::Exponent => (1u64 << self.sign_shift()) - 1,
            Specials::NanNegativeZero | Specials::Finite => 1u64 << self.sign_shift(),
        }
    }

    /// Returns the exact value of a bit pattern. Ignores bits above the type's width. The NaN of a type below 32 bits
    /// loses its payload, and also its sign if the type has only one NaN.
    #[inline]
    pub fn decode(&self, bits: u64) -> f64 {
        match (self.mantissa_bits, self.specials) {
            (52, _) => return f64::from_bits(bits),
            (23, _) => return f64::from(f32::from_bits(bits as u32)),
            (_, Specials::Exponent) => {
                return match bits & 0xff {
                    0xff => f64::NAN,
                    exponent => power_of_two(exponent as i32 - self.bias),
                };
            }
            _ => {}
        }
        let sign = bits >> self.sign_shift() & 1;
        let exponent = (bits >> self.mantissa_bits) & ((1 << self.exponent_bits) - 1);
        let mantissa = bits & ((1 << self.mantissa_bits) - 1);
        let top = (1 << self.exponent_bits) - 1;
        let magnitude = match self.specials {
            Specials::Ieee if exponent == top && mantissa == 0 => f64::INFINITY,
            Specials::Ieee if exponent == top => f64::NAN,
            Specials::NanAllOnes if exponent == top && mantissa == (1 << self.mantissa_bits) - 1 => f64::NAN,
            Specials::NanNegativeZero if sign == 1 && exponent == 0 && mantissa == 0 => return f64::NAN,
            _ if exponent == 0 => mantissa as f64 * self.min_positive(),
            _ => {
                let exponent = (exponent as i32 + 1023 - self.bias) as u64;
                f64::from_bits(exponent << 52 | mantissa << (52 - self.mantissa_bits))
            }
        };
        f64::from_bits(magnitude.to_bits() | sign << 63)
    }
}

/// Returns the floor of log2 of a positive finite number. For zero, returns an exponent below the smallest one of
/// float64.
#[inline]
pub(crate) fn exponent_of(x: f64) -> i32 {
    let field = (x.to_bits() >> 52) as i32 & 0x7ff;
    if field != 0 {
        field - 1023
    } else {
        let mantissa = x.to_bits() & ((1 << 52) - 1);
        if mantissa == 0 { -2000 } else { 63 - mantissa.leading_zeros() as i32 - 1074 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_value_has_the_expected_bit_pattern() {
        for format in [
            &FLOAT64, &FLOAT32, &FLOAT16, &BFLOAT16, &TF32, &E4M3FN, &E4M3FNUZ, &E5M2, &E5M2FNUZ, &E8M0, &E2M3, &E3M2,
            &E2M1,
        ] {
            assert_eq!(format.decode(format.max_finite_bits()), format.max_finite, "{format:?}");
        }
    }
}

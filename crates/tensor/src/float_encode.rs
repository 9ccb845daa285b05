//! Rounds float64 to any binary floating-point layout, in a single rounding.
//!
//! `ml_dtypes` converts float64 to bfloat16 and to types below 16 bits through float32, and so may round twice. ONNX's
//! Cast converts the value itself, so this module rounds once. If float32 represents the value exactly and the value
//! does not saturate, `ml_dtypes` and this module give the same result, apart from the sign of a NaN and from
//! float8e8m0 (see [`FloatFormat::encode_e8m0`]).

use crate::float_format::{Specials, exponent_of, power_of_two};
use crate::{FloatFormat, Saturation};

/// The values of ONNX's `round_mode`, for conversions to float8e8m0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundMode {
    /// Rounds to the next power of two away from zero.
    Up,
    /// Rounds to the next power of two towards zero.
    Down,
    /// Rounds to the nearest power of two. Ties, such as 1.5, round up.
    Nearest,
}

impl RoundMode {
    /// Returns the mode that the attribute `round_mode` calls `name`.
    pub fn from_name(name: &str) -> Option<RoundMode> {
        match name {
            "up" => Some(RoundMode::Up),
            "down" => Some(RoundMode::Down),
            "nearest" => Some(RoundMode::Nearest),
            _ => None,
        }
    }
}

impl Saturation {
    /// Returns whether a value `x` outside the range of a type becomes the nearer end of the range.
    fn applies_to(self, x: f64) -> bool {
        match self {
            Saturation::None => false,
            Saturation::Saturate => true,
            Saturation::SaturateFinite => x.is_finite(),
        }
    }
}

/// Drops the last bits of a number, at least one, and rounds it to nearest, with ties to even.
#[inline]
fn without_last_bits(number: u64, dropped: u32) -> u64 {
    let odd = number >> dropped & 1;
    (number + (1 << (dropped - 1)) - 1 + odd) >> dropped
}

const SIGN: u64 = 1 << 63;
const INFINITY: u64 = 0x7ff << 52;

impl FloatFormat {
    /// Returns the bit pattern of the value nearest to `x`, with ties to even. For float8e8m0, this is
    /// [`FloatFormat::encode_e8m0`] with [`RoundMode::Nearest`]. Values that round beyond the largest finite value
    /// follow `saturation`.
    ///
    /// Every NaN becomes the type's positive quiet NaN, or its only NaN, because the sign of a computed NaN differs
    /// between processors. (ONNX's table of Cast with `saturate = 0` keeps the sign.) If the type has no NaN, ONNX does
    /// not decide the result; here NaN becomes negative zero, as a positive NaN does in `ml_dtypes`.
    #[inline]
    pub fn encode(&self, x: f64, saturation: Saturation) -> u64 {
        let magnitude = x.to_bits() & !SIGN;
        if magnitude > INFINITY {
            return self.nan_bits();
        }
        match (self.mantissa_bits, self.specials) {
            (52, _) if magnitude < INFINITY => return x.to_bits(),
            (52, _) => return self.beyond(x, saturation),
            (23, _) if (x as f32).is_finite() => return u64::from((x as f32).to_bits()),
            (23, _) => return self.beyond(x, saturation),
            (_, Specials::Exponent) => return FloatFormat::encode_e8m0(x, RoundMode::Nearest, saturation),
            _ => {}
        }
        let field = self.round_magnitude(magnitude);
        if field > self.max_finite_bits() {
            return self.beyond(x, saturation);
        }
        if field == 0 && !self.has_negative_zero() {
            return 0;
        }
        field | (x.to_bits() >> 63) << self.sign_shift()
    }

    /// Returns the value of this type nearest to `x`, with ties to even: what [`FloatFormat::decode`] makes of the
    /// pattern that [`FloatFormat::encode`] returns without saturation.
    #[inline]
    pub fn nearest(&self, x: f64) -> f64 {
        let magnitude = x.to_bits() & !SIGN;
        let rounded = match (self.mantissa_bits, self.specials) {
            (52, _) => return x,
            (23, _) => return f64::from(x as f32),
            (_, Specials::Exponent) => f64::NAN,
            (mantissa_bits, _) if magnitude >= self.min_normal().to_bits() => {
                let dropped = 52 - mantissa_bits;
                f64::from_bits(without_last_bits(magnitude, dropped) << dropped)
            }
            // The addition rounds, with ties to even.
            _ => {
                let anchor = self.anchor();
                (f64::from_bits(magnitude) + anchor) - anchor
            }
        };
        let is_ordinary = rounded > 0.0 && rounded <= self.max_finite();
        if is_ordinary { rounded.copysign(x) } else { self.decode(self.encode(x, Saturation::None)) }
    }

    /// Returns a power of two above which the values of float64 are as far apart as the subnormals of this type.
    #[inline]
    fn anchor(&self) -> f64 {
        power_of_two(self.min_exponent() - self.mantissa_bits as i32 + 52)
    }

    /// Rounds a magnitude, finite or infinite, to this type, as if the type's exponents had no upper end. The argument
    /// has the bits of a float64. Returns the exponent and significand fields as one number, which is above
    /// `max_finite_bits` if the type cannot hold the result.
    fn round_magnitude(&self, magnitude: u64) -> u64 {
        if magnitude >= self.min_normal().to_bits() {
            // A carry out of the significand goes into the exponent, which is correct: the value rounds up to a power
            // of two.
            let dropped = 52 - self.mantissa_bits;
            without_last_bits(magnitude, dropped) - ((1023 - self.bias as u64) << self.mantissa_bits)
        } else {
            // The addition rounds, with ties to even.
            let anchor = self.anchor();
            (f64::from_bits(magnitude) + anchor).to_bits() - anchor.to_bits()
        }
    }

    /// Returns the pattern that `x` becomes, where `x` rounds beyond the largest finite value.
    fn beyond(&self, x: f64, saturation: Saturation) -> u64 {
        let sign = if self.is_signed() { (x.to_bits() >> 63) << self.sign_shift() } else { 0 };
        let saturates = saturation.applies_to(x);
        match self.specials {
            _ if saturates => sign | self.max_finite_bits(),
            Specials::Finite => sign | self.max_finite_bits(),
            Specials::Ieee => sign | ((1u64 << self.exponent_bits) - 1) << self.mantissa_bits,
            Specials::NanAllOnes => sign | self.nan_bits(),
            Specials::NanNegativeZero | Specials::Exponent => self.nan_bits(),
        }
    }

    /// Returns the float8e8m0 pattern of `x`, by the table of Cast-24.
    ///
    /// With saturation, a value outside 2^-127 to 2^127 becomes the nearer end, and zero becomes the smallest value.
    /// Without saturation, such a value becomes NaN, and so does zero. The table decides by the value of `x` before
    /// rounding. It covers only mode `up` with saturation and mode `nearest` without saturation; this function treats
    /// the other combinations in the same way. ONNX leaves negative values unspecified: they become NaN here, and -0
    /// counts as zero.
    ///
    /// Two published implementations differ from the table. `ml_dtypes`, which always uses `nearest`, rounds first:
    /// small values become 2^-127, large values below 1.5 * 2^127 become 2^127, and every value between 2^-127 and
    /// 2^-126 rounds up. ONNX's ReferenceEvaluator reads the exponent field of float32. In mode `up`, 2^-127, which is
    /// subnormal in float32, therefore becomes 2^-126. Zero becomes 2^-127 in every mode. The behaviour `float8e8m0` of
    /// Cast states which other results the oracle accepts.
    pub fn encode_e8m0(x: f64, mode: RoundMode, saturation: Saturation) -> u64 {
        const MIN: f64 = f64::from_bits((1023 - 127) << 52);
        const MAX: f64 = f64::from_bits((1023 + 127) << 52);
        const NAN: u64 = 0xff;
        let saturates = saturation.applies_to(x);
        match x {
            _ if x.is_nan() || x < 0.0 => NAN,
            _ if x > MAX => {
                if saturates {
                    0xfe
                } else {
                    NAN
                }
            }
            _ if x < MIN => {
                if saturates {
                    0
                } else {
                    NAN
                }
            }
            _ => {
                let exponent = exponent_of(x);
                let fraction = x / power_of_two(exponent);
                let up = match mode {
                    RoundMode::Up => fraction > 1.0,
                    RoundMode::Down => false,
                    RoundMode::Nearest => fraction >= 1.5,
                };
                (exponent + 127) as u64 + u64::from(up)
            }
        }
    }
}

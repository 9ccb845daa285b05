//! Inputs of several kinds, drawn with a fixed seed.

use std::f64::consts::LN_2;

use fastrand::Rng;
use plumbline_tensor::{DType, Tensor};

use super::machine::rounded;

/// The types in which implementations compute.
pub const FLOATS: [DType; 4] = [DType::Float, DType::Double, DType::Float16, DType::Bfloat16];

/// The kinds of numbers that a tensor has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// From -4 to 4.
    Ordinary,
    /// From -8 to 8 in steps of 1/8.
    Coarse,
    /// Magnitudes from 2^-24 to 16.
    Graded,
    /// A large number common to all, and small differences.
    Offset,
    /// Numbers near the middle of the type's range of exponents, above or below it.
    Large,
    Small,
    /// Numbers of every exponent, among them subnormal ones.
    Any,
    /// Numbers whose squares are near the smallest number of the type or of float.
    Roots,
    /// Numbers whose exponentials are near the smallest or the largest number of the type or of float.
    Logarithms,
    /// Zeros, infinities, NaN, the largest and the smallest numbers among ordinary ones.
    Special,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 10] = [
        Kind::Ordinary,
        Kind::Coarse,
        Kind::Graded,
        Kind::Offset,
        Kind::Large,
        Kind::Small,
        Kind::Any,
        Kind::Roots,
        Kind::Logarithms,
        Kind::Special,
    ];
}

/// Returns the number of draws of each kind: what `PLUMBLINE_STEPWISE` says, or 1.
pub fn draws() -> u64 {
    given_draws().unwrap_or(1)
}

/// Returns of how many implementations one is tried: of all each one if `PLUMBLINE_STEPWISE` is set, and otherwise of
/// three the first.
pub fn stride() -> usize {
    if given_draws().is_some() { 1 } else { 3 }
}

fn given_draws() -> Option<u64> {
    std::env::var("PLUMBLINE_STEPWISE").ok().map(|count| count.parse().expect("a number of draws"))
}

/// Returns numbers of a type.
pub fn numbers(rng: &mut Rng, dtype: DType, kind: Kind, count: usize) -> Vec<f64> {
    let format = dtype.float_format().unwrap();
    let (most, least) = (format.max_finite().log2(), format.min_positive().log2());
    let special = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        format.max_finite(),
        -format.max_finite(),
        format.min_positive(),
        -format.min_normal(),
    ];
    let offset = 8.0 + 120.0 * rng.f64();
    let working = if format.precision() < 24 && rng.bool() { DType::Float } else { dtype };
    let range = working.float_format().unwrap();
    let (limit, up) = (range.min_positive().log2(), rng.bool());
    let power = if up { range.max_finite().log2() } else { limit };
    let mut number = || {
        let sign = if rng.bool() { 1.0 } else { -1.0 };
        let unit = rng.f64();
        let graded = |low: f64, high: f64| sign * (low + (high - low) * unit).exp2();
        match kind {
            Kind::Ordinary => sign * 4.0 * unit,
            Kind::Coarse => sign * (64.0 * unit).floor() / 8.0,
            Kind::Graded => graded(-24.0, 4.0),
            Kind::Offset => offset + sign * unit,
            Kind::Large => graded(most / 2.0 - 2.0, most / 2.0 + 2.0),
            Kind::Small => graded(-most / 2.0 - 4.0, 2.0 - most / 2.0),
            Kind::Any => graded(least, most),
            Kind::Roots => graded(limit / 2.0 - 2.0, limit / 2.0 + 6.0),
            Kind::Logarithms => power * LN_2 * (0.75 + 0.3 * unit),
            Kind::Special if rng.u8(..4) > 0 => sign * 4.0 * unit,
            Kind::Special => special[rng.usize(..special.len())],
        }
    };
    (0..count).map(|_| rounded(dtype, number())).collect()
}

/// Returns a tensor of such numbers.
pub fn tensor(rng: &mut Rng, dtype: DType, kind: Kind, shape: &[usize]) -> Tensor {
    let values = numbers(rng, dtype, kind, shape.iter().product());
    Tensor::from_f64s(dtype, shape.to_vec(), &values).unwrap()
}

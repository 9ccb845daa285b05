use crate::families::binary::binary;
use crate::families::cast::outside;
use crate::prelude::*;
use crate::{Int, wrap};

/// Computes `X` to the power of `Y`, element by element. The result has the type of the base.
///
/// In version 1, `Y` is expanded to the shape of `X` at a given axis if `broadcast` is set (`legacy-shapes-broadcast`);
/// extents of 1 in `Y` are expanded too (`size-one-broadcast`). From version 7 on, both shapes broadcast
/// (`shapes-broadcast`). Version 12 adds integers (overflow: `integer-overflow`; negative exponents:
/// `negative-exponent`) and exponents of another type (`mixed-types`). NaN^0, 1^NaN and (-1)^Inf: `nan-and-infinity`;
/// powers of zeros: `signed-zero`.
pub fn pow(call: &Call) -> Answer {
    let of_certain = |x: Number, y: Number| match (x.kind, y.kind) {
        (NumberKind::Int(base), NumberKind::Int(exponent)) => integer_power(base.mid, exponent.mid, base.dtype),
        (NumberKind::Int(base), NumberKind::Real(exponent)) if exponent.is_point() => truncated_power(base, exponent),
        (NumberKind::Int(base), NumberKind::Real(exponent)) => truncated_power(base, exponent).or_whole_range(),
        (NumberKind::Real(_), _) => real_power(x, y),
    };
    binary(call, of_certain)
}

/// Computes `x^y` for integers.
fn integer_power(x: i128, y: i128, dtype: DType) -> Number {
    let odd = y % 2 != 0;
    match x {
        1 => return Number::int(1, dtype),
        -1 => return Number::int(if odd { -1 } else { 1 }, dtype),
        // The power is no integer.
        _ if y < 0 => return Number::int(0, dtype).undecided(rule::NEGATIVE_EXPONENT),
        0 => return Number::int(i128::from(y == 0), dtype),
        _ => {}
    }
    let exact = u32::try_from(y).ok().and_then(|y| x.checked_pow(y)).filter(|&power| wrap(power, dtype) == power);
    match exact {
        Some(power) => Number::int(power, dtype),
        // Computed in integers, the power wraps or saturates. Computed as a float, it is converted like any number
        // outside of the range.
        None => {
            let real = libm::pow(x as f64, y as f64);
            Number::int(wrap(wrapping_power(x, y), dtype), dtype)
                .overflowed(rule::INTEGER_OVERFLOW)
                .or(outside(real, dtype, rule::INTEGER_OVERFLOW), rule::INTEGER_OVERFLOW)
        }
    }
}

/// Computes `x^y` modulo 2^128.
fn wrapping_power(mut x: i128, mut y: i128) -> i128 {
    let mut power = 1i128;
    while y > 0 {
        if y % 2 == 1 {
            power = power.wrapping_mul(x);
        }
        x = x.wrapping_mul(x);
        y /= 2;
    }
    power
}

/// Computes `x^y` for an integer base and a floating-point exponent, as an integer. The preferred result is computed in
/// float32 or wider and truncated. Rounding the result, or truncating the exponent first, is left open (`mixed-types`).
fn truncated_power(base: Int, y: Real) -> Number {
    let dtype = base.dtype;
    if y.mid <= -1.0 && base.mid.unsigned_abs() != 1 {
        // With its exponent as an integer, the power is no integer.
        return integer_power(base.mid, -1, dtype);
    }
    let working = if y.dtype == DType::Double { DType::Double } else { DType::Float };
    // An implementation rounds the base to the type it computes in.
    let x = Real::exact(base.mid as f64, DType::Double).to_dtype(working).hull(Real::exact(base.mid as f64, working));
    let power = x.power(y);
    let fits = |x: f64| x.is_finite() && wrap(x as i128, dtype) == x as i128;
    let integral = y.mid.fract() == 0.0 && y.is_point();
    let exact = integral.then(|| integer_power(base.mid, y.mid as i128, dtype)).filter(Number::is_point);
    let mid = exact.map_or(power.mid.trunc() as i128, |n| n.mid_int());
    let (low, high) = ((power.low.trunc() as i128).min(mid), (power.high.trunc() as i128).max(mid));
    if !fits(power.low) || !fits(power.high) || power.nan || (integral && exact.is_none()) {
        // The power is converted like any number outside of the range, or the exponent is truncated first.
        let strays =
            |x: f64| if fits(x) { Number::int(x as i128, dtype) } else { outside(x.trunc(), dtype, rule::MIXED_TYPES) };
        let result = if fits(power.mid) { Number::int(mid, dtype) } else { strays(power.mid) };
        let ends = [power.low, power.high, if power.nan { f64::NAN } else { power.mid }];
        let result = ends.into_iter().fold(result, |result, end| result.or(strays(end), rule::MIXED_TYPES));
        return match y.mid.is_finite() {
            true => result.or(integer_power(base.mid, y.mid.trunc() as i128, dtype), rule::MIXED_TYPES),
            false => result,
        };
    }
    let result = Number { kind: NumberKind::Int(Int { low, mid, high, dtype }), latitude: None };
    if integral {
        return result;
    }
    let truncated = integer_power(base.mid, y.mid.trunc() as i128, dtype);
    let rounded = power.mid.round_ties_even();
    let rounded =
        if fits(rounded) { Number::int(rounded as i128, dtype) } else { outside(rounded, dtype, rule::MIXED_TYPES) };
    result.or(rounded, rule::MIXED_TYPES).or(truncated, rule::MIXED_TYPES)
}

/// Computes `x^y` for a floating-point base, at its precision.
fn real_power(x: Number, y: Number) -> Number {
    let power = specials(x, y, exact_exponent(x, y));
    // An exponent of another type may first be rounded to the type of the base.
    let rounded = y.to_float(x.dtype());
    if y.dtype() == x.dtype()
        || y.is_nan()
        || rounded.mid() == y.mid() && rounded.real().is_point() && y.is_point() && !large(y)
    {
        return power;
    }
    let other = specials(x, rounded, x.power(rounded));
    let (this, that) = (power.real(), other.real());
    let same =
        x.is_point() && y.is_point() && this.low <= that.mid && that.mid <= this.high || this.is_nan() && that.is_nan();
    if same { power } else { power.or(other, rule::MIXED_TYPES) }
}

/// Returns whether an integer is too large for float64 to represent every integer of its size.
fn large(y: Number) -> bool {
    matches!(y.kind, NumberKind::Int(y) if y.mid.unsigned_abs() > 1 << 53)
}

/// Computes `x^y`. An integer exponent that is too large for float64 keeps its parity.
fn exact_exponent(x: Number, y: Number) -> Number {
    match y.kind {
        NumberKind::Int(exponent) if large(y) && x.mid() < 0.0 => {
            let power = x.abs().power(y);
            if exponent.mid % 2 == 0 { power } else { -power }
        }
        _ => x.power(y),
    }
}

/// Adds the results that differ from C's `pow`, which gives 1 for NaN^0, 1^NaN and (-1)^Inf (`nan-and-infinity`), and
/// -Inf for -0 to a negative odd power (`signed-zero`).
fn specials(x: Number, y: Number, power: Number) -> Number {
    let (base, exponent) = (x.mid(), y.mid());
    let one = power.mid() == 1.0 && (base.is_nan() || exponent.is_nan() || base == -1.0 && exponent.is_infinite());
    if one {
        return power.or(power.like(f64::NAN), rule::NAN_AND_INFINITY);
    }
    if base == 0.0 && power.mid() == f64::NEG_INFINITY {
        return power.or(power.like(f64::INFINITY), rule::SIGNED_ZERO);
    }
    power
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(x: f64) -> Number {
        Real::exact(x, DType::Float).into()
    }

    fn int(x: i128) -> Number {
        Number::int(x, DType::Int64)
    }

    fn allowed(x: Number) -> Option<Allowed> {
        x.latitude.map(|l| l.allowed)
    }

    #[test]
    fn powers_of_integers_are_exact() {
        let power = |x, y| integer_power(x, y, DType::Int64);
        // This power is beyond the integers that float64 holds.
        assert_eq!(power(3, 39), int(4052555153018976267));
        assert_eq!(
            [power(-1, -3), power(1, -2), power(0, 0), power(-2, 63)],
            [int(-1), int(1), int(1), int(i128::from(i64::MIN))]
        );
        for (x, y) in [(2, 63), (10, 19), (3, i128::from(u64::MAX))] {
            let power = power(x, y);
            assert!(allowed(power).is_some_and(|allowed| allowed != Allowed::Anything), "{x}^{y}");
        }
        for (x, y) in [(2, -1), (0, -1), (-3, -2)] {
            assert_eq!(allowed(power(x, y)), Some(Allowed::Anything), "{x}^{y}");
        }
        // 3 to an odd power stays odd modulo 2^64.
        assert_eq!(power(3, i128::from(u64::MAX)).mid_int() & 1, 1);
    }

    #[test]
    fn a_power_with_a_fractional_exponent_is_truncated_or_the_exponent_is_truncated_first() {
        let base = |x| match int(x).kind {
            NumberKind::Int(base) => base,
            NumberKind::Real(_) => unreachable!(),
        };
        let x = truncated_power(base(3), Real::exact(1.5, DType::Float));
        // 3^1.5 is 5.196, and 3^1 is 3.
        assert_eq!((x.mid_int(), allowed(x)), (5, Some(Allowed::int(3))));
        // In float32, the result may be just below 1000.
        let cube = truncated_power(base(10), Real::exact(3.0, DType::Float));
        assert!(
            matches!(cube.kind, NumberKind::Int(Int { low: 999, mid: 1000, high: 1000, .. }))
                && cube.latitude.is_none()
        );
        for open in [-1.0, -2.5, f64::NEG_INFINITY] {
            let power = truncated_power(base(-2), Real::exact(open, DType::Float));
            assert_eq!(allowed(power), Some(Allowed::Anything), "{open} {power:?}");
        }
        for open in [-0.5, 0.5, f64::NAN, f64::INFINITY] {
            let power = truncated_power(base(-2), Real::exact(open, DType::Float));
            assert!(allowed(power).is_some_and(|allowed| allowed != Allowed::Anything), "{open} {power:?}");
        }
    }

    #[test]
    fn powers_that_the_formula_does_not_decide_are_left_open() {
        for (x, y) in [(f64::NAN, 0.0), (1.0, f64::NAN), (-1.0, f64::INFINITY)] {
            let power = real_power(number(x), number(y));
            assert_eq!(power.mid(), 1.0);
            assert_eq!(allowed(power), Some(Allowed::real(f64::NAN)), "{x}^{y}");
        }
        assert_eq!(real_power(number(0.0), number(0.0)).latitude, None);
        assert_eq!(allowed(real_power(number(-0.0), number(-3.0))), Some(Allowed::real(f64::INFINITY)));
        assert!(real_power(number(-2.0), number(0.5)).is_nan());
        assert_eq!(real_power(number(-2.0), number(3.0)).mid(), -8.0);
    }

    #[test]
    fn an_exponent_of_another_type_may_be_rounded_first() {
        // 2^24 + 1 is odd; rounded to float32, it is even.
        let power = real_power(number(-1.0), int((1 << 24) + 1));
        assert_eq!(power.mid(), -1.0);
        let Some(Allowed::Reals(others)) = allowed(power) else { panic!("{power:?}") };
        assert!(others.contains(1.0) && !others.contains(0.5), "{power:?}");
        let odd = real_power(number(-1.0), int((1 << 60) + 1));
        assert_eq!(odd.mid(), -1.0);
        assert_eq!(real_power(number(3.0), int(4)).latitude, None);
    }
}

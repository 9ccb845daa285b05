//! The p-norm of elements: the p-th root of the sum of their magnitudes to the power of p.

use crate::prelude::*;

/// Reads the exponent `p`. Below 1 the formula is not a norm, and the specification does not say what to compute then
/// (`label`). The oracle refuses such a `p`, infinity and NaN.
pub fn exponent(call: &Call, label: Label) -> Result<f64, Refusal> {
    let p = match call.version().attribute("p").map(|a| a.kind) {
        Some(plumbline_spec::AttributeKind::Float) => f64::from(call.float("p")?),
        _ => call.int("p")? as f64,
    };
    if p >= 1.0 && p.is_finite() {
        Ok(p)
    } else {
        Err(Refusal::leaves_open(
            label,
            format!("`p` is {p}, but the oracle computes norms only for finite `p` of at least 1"),
        ))
    }
}

/// Computes the p-norm, which is 0 for no elements. The elements are divided by a power of two near the largest of
/// them, so that no power overflows. What the computation without scaling accepts beyond this is another outcome
/// (`overflow`).
pub fn lp_norm(x: &[Real], p: f64, dtype: DType, overflow: Label) -> Number {
    let plain = root(sum(x, p, dtype), p);
    let largest = x.iter().map(|x| x.mid.abs()).fold(0.0, f64::max);
    if p == 1.0 || largest == 0.0 || x.iter().any(|x| !x.mid.is_finite()) {
        return plain.into();
    }
    let power = libm::frexp(largest).1;
    let scaled: Vec<Real> = x.iter().map(|x| x.scaled(-power)).collect();
    let norm = root(sum(&scaled, p, dtype), p).scaled(power).widened(0.5);
    Number::from(norm).or(plain.overflowing(), overflow)
}

fn sum(x: &[Real], p: f64, dtype: DType) -> Real {
    let mut sum = Accumulator::new(dtype);
    x.iter().for_each(|&x| sum.add(power(x, p, dtype)));
    sum.finish_inside()
}

fn power(x: Real, p: f64, dtype: DType) -> Real {
    let x = x.abs();
    match p {
        1.0 => x,
        // Each power of zero is zero, and is not rounded.
        _ if x.low == 0.0 && x.high == 0.0 && !x.nan => x,
        // An implementation squares by a multiplication or by the power function.
        2.0 => x.times(x).hull(x.power(Real::constant(2.0, dtype))),
        _ => x.power(Real::constant(p, dtype)),
    }
}

/// Returns each magnitude to the power of `p`. A norm is computed from at most `count` of these powers. Returns `None`
/// if a power or a sum may overflow or underflow, so that the elements must be scaled, or if an element is NaN or has
/// several accepted values.
pub fn powers(x: &[Number], p: f64, dtype: DType, count: usize) -> Option<Vec<Number>> {
    let format = dtype.float_format()?;
    let (least, most) = (format.min_normal(), format.max_finite() / 4.0 / count.max(1) as f64);
    let of = |x: &Number| {
        let Real { low, high, nan, .. } = x.real();
        let power = power(x.real(), p, dtype);
        let zero = power.mid == 0.0 && high == 0.0;
        let fits = x.latitude.is_none() && !nan && low == high && (zero || power.mid > least && power.mid < most);
        fits.then(|| power.into())
    };
    x.iter().map(of).collect()
}

/// Adds up powers (see [`powers`]). The sum is not rounded yet.
pub fn sum_of_powers(powers: &[Number], dtype: DType) -> Accumulator {
    let mut sum = Accumulator::new(dtype);
    powers.iter().for_each(|x| sum.add(x.real()));
    sum
}

/// Returns the p-norm of elements from the sum of their powers (see [`powers`]).
pub fn root_of_sum(sum: Accumulator, p: f64) -> Number {
    root(sum.finish_inside(), p).into()
}

/// Computes the p-th root by raising to the power of `1 / p`, an exponent that is rounded. Square roots may also be
/// computed directly.
fn root(sum: Real, p: f64) -> Real {
    let reciprocal = Real::constant(1.0 / p, sum.dtype).widened(0.5);
    match p {
        1.0 => sum,
        // Zero and infinity are their own roots.
        _ if sum.high == 0.0 || sum.low.is_infinite() => Real { signed_zero: false, ..sum },
        _ => {
            let by_power = if sum.low > 0.0 { sum.power(reciprocal) } else { from_zero(sum, reciprocal) };
            let by_root = if p == 2.0 { Number::from(sum).sqrt().real() } else { by_power };
            by_root.hull(by_power)
        }
    }
}

/// Computes `sum` to the power of `reciprocal` for a sum that may be zero. The result lies between zero and the same
/// power of the upper end of the sum.
fn from_zero(sum: Real, reciprocal: Real) -> Real {
    let high = Real { low: sum.high, mid: sum.high, ..sum }.power(reciprocal);
    let exact = Real { low: sum.mid, high: sum.mid, ..sum }.power(reciprocal);
    Real { low: 0.0, mid: exact.mid, ..high }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elements(values: &[f64]) -> Vec<Number> {
        values.iter().map(|&x| Real::exact(x, DType::Float).into()).collect()
    }

    #[test]
    fn a_norm_of_powers_is_the_norm() {
        for p in [1.0, 2.0, 3.0] {
            let x = elements(&[3.0, -4.0, 0.0, 0.5]);
            let reals: Vec<Real> = x.iter().map(Number::real).collect();
            let whole = lp_norm(&reals, p, DType::Float, rule::INTERMEDIATE_OVERFLOW).real();
            let powers = powers(&x, p, DType::Float, 4).expect("the powers do not overflow");
            let norm = root_of_sum(sum_of_powers(&powers, DType::Float), p).real();
            assert_eq!(norm.mid, whole.mid);
            assert!(norm.low <= whole.high && whole.low <= norm.high && norm.high - norm.low < 1e-4);
        }
    }

    #[test]
    fn the_norm_of_zeros_is_zero() {
        for p in [1.0, 2.0, 3.0] {
            let zeros: Vec<Real> = elements(&[0.0, -0.0, 0.0]).iter().map(Number::real).collect();
            let norm = lp_norm(&zeros, p, DType::Float, rule::INTERMEDIATE_OVERFLOW).real();
            assert_eq!((norm.low, norm.high), (0.0, 0.0), "{p}");
        }
    }

    #[test]
    fn only_powers_of_moderate_numbers_are_given() {
        assert!(powers(&elements(&[1e19, 1e19, 1e19]), 2.0, DType::Float, 27).is_none());
        assert!(powers(&elements(&[1e-20]), 2.0, DType::Float, 1).is_none());
        assert!(powers(&elements(&[f64::NAN]), 2.0, DType::Float, 1).is_none());
    }
}

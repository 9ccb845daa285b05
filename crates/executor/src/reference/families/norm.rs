//! The p-norm of elements: the p-th root of the sum of their magnitudes to the power of p.

use crate::reference::prelude::*;

/// The exponent `p`. Below 1 the formula is no norm, and what is wanted is not said (`label`).
pub fn exponent(call: &Call, label: Label) -> Result<f64, Refusal> {
    let p = match call.version().attribute("p").map(|a| a.kind) {
        Some(plumbline_spec::AttributeKind::Float) => f64::from(call.float("p")?),
        _ => call.int("p")? as f64,
    };
    if p >= 1.0 && p.is_finite() { Ok(p) } else { Err(Refusal::unsupported(format!("{label}: an exponent of {p}"))) }
}

/// The p-norm. Scaled so that no power overflows or underflows; what happens where one does is left open (`overflow`). Of nothing it is 0.
pub fn lp_norm(x: &[Real], p: f64, dtype: DType, overflow: Label) -> Number {
    let plain = root(sum_of_powers(x, p, dtype), p);
    let largest = x.iter().map(|x| x.mid.abs()).fold(0.0, f64::max);
    if p == 1.0 || largest == 0.0 || x.iter().any(|x| !x.mid.is_finite()) {
        return plain.into();
    }
    let power = libm::frexp(largest).1;
    let scaled: Vec<Real> = x.iter().map(|x| x.scaled(-power)).collect();
    let norm = root(sum_of_powers(&scaled, p, dtype), p).scaled(power).widened(0.5);
    Number::from(norm).or_computed(plain, overflow)
}

fn sum_of_powers(x: &[Real], p: f64, dtype: DType) -> Real {
    let mut sum = Accumulator::new(dtype);
    for x in x {
        let x = x.abs();
        sum.add(match p {
            1.0 => x,
            // A square is multiplied, or a power.
            2.0 => x.times(x).hull(x.power(Real::constant(2.0, dtype))),
            _ => x.power(Real::constant(p, dtype)),
        });
    }
    sum.finish_inside()
}

/// The p-th root, by way of the power of the reciprocal, which is rounded.
fn root(sum: Real, p: f64) -> Real {
    let reciprocal = Real::constant(1.0 / p, sum.dtype).widened(0.5);
    let exact = |x: f64| if p == 2.0 { x.sqrt() } else { libm::pow(x, 1.0 / p) };
    match p {
        1.0 => sum,
        // Zero and infinity have roots of their own.
        _ if sum.high == 0.0 || sum.low.is_infinite() => Real { signed_zero: false, ..sum },
        _ => {
            let by_power = if sum.low > 0.0 { sum.power(reciprocal) } else { from_zero(sum, reciprocal) };
            let by_root = if p == 2.0 { Number::from(sum).sqrt().real() } else { by_power };
            Real { mid: exact(sum.mid), ..by_root.hull(by_power) }
        }
    }
}

/// The power of a sum that may be zero: from zero to the power of its larger end.
fn from_zero(sum: Real, reciprocal: Real) -> Real {
    let high = Real { low: sum.high, mid: sum.high, ..sum }.power(reciprocal);
    Real { low: 0.0, ..high }
}

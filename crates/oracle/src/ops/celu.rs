use crate::families::activation::{Working, computed, within};
use crate::prelude::*;

/// Computes `max(0, x) + min(0, alpha * (e^(x/alpha) - 1))` for each element.
///
/// Versions 12 and 28 have the same meaning; version 28 adds types. Infinities: `infinity`; NaN: `nan`; negative alpha:
/// `negative-alpha`; alpha = 0: `zero-alpha`; `x / alpha` overflows: `intermediate-overflow`. The output has the shape
/// of `X`, even if `X` is a scalar (`scalar-input`).
pub fn celu(call: &Call) -> Answer {
    let alpha = call.float("alpha")?;
    call.map("X", |x| {
        if x.is_nan() {
            return x.or(x.like(0.0), rule::NAN);
        }
        // With an infinite alpha, the formula multiplies 0 by infinity. With a NaN alpha, its result is NaN.
        if !alpha.is_finite() {
            return x.like(f64::NAN).or(positive(x), rule::NAN);
        }
        let y = by_formula(x, alpha);
        // The function body computes `alpha * (x / alpha)`, so it gives infinity where `x / alpha` overflows.
        let scaled = (x / x.like(f64::from(alpha))).real();
        match alpha {
            // Where the second term is not NaN, it is a zero of either sign.
            0.0 => positive(x).with_any_zero().or(x.like(f64::NAN), rule::ZERO_ALPHA),
            a if a < 0.0 => y.or(by_body(x, alpha), rule::NEGATIVE_ALPHA),
            _ if scaled.high == f64::INFINITY && x.mid().is_finite() => {
                y.or(x.like(f64::INFINITY), rule::INTERMEDIATE_OVERFLOW)
            }
            _ => y,
        }
    })
}

/// Computes `alpha * (e^(x/alpha) - 1)`; `minus_one` is one of two ways to compute the power minus 1.
fn curve(x: Number, w: Working, alpha: f32, minus_one: impl Fn(Number) -> Number) -> Number {
    let alpha = w.attribute(alpha);
    alpha * minus_one(x / alpha)
}

fn minus_one(z: Number) -> Number {
    z.exp() - z.like(1.0)
}

fn positive(x: Number) -> Number {
    within(x, 0.0, f64::INFINITY)
}

fn negative(x: Number) -> Number {
    within(x, f64::NEG_INFINITY, 0.0)
}

/// Computes the formula of the description. For a positive alpha, the function body `alpha * Elu(x / alpha)` means the
/// same.
fn by_formula(x: Number, alpha: f32) -> Number {
    let exact = |x: f64| x.max(0.0) + (f64::from(alpha) * libm::expm1(x / f64::from(alpha))).min(0.0);
    let formula = |x, w| positive(x) + negative(curve(x, w, alpha, minus_one));
    let with_expm1 = |x, w| positive(x) + negative(curve(x, w, alpha, Number::exp_m1));
    let scaled = |x: Number, w: Working| w.attribute(alpha) * (x / w.attribute(alpha));
    if alpha > 0.0 && x.mid() >= 0.0 {
        return computed(x, exact, &[&formula, &with_expm1, &scaled]);
    }
    computed(x, exact, &[&formula, &with_expm1])
}

/// Computes the function body, `alpha * Elu(x / alpha)`, which branches on the sign of `x / alpha`.
fn by_body(x: Number, alpha: f32) -> Number {
    let wide = f64::from(alpha);
    if x.mid() / wide < 0.0 {
        let exact = |x: f64| wide * libm::expm1(x / wide);
        let curves: [&dyn Fn(Number, Working) -> Number; 2] =
            [&|x, w| curve(x, w, alpha, minus_one), &|x, w| curve(x, w, alpha, Number::exp_m1)];
        return computed(x, exact, &curves);
    }
    computed(x, |x| x, &[&|x, w| w.attribute(alpha) * (x / w.attribute(alpha))])
}

#[cfg(test)]
mod tests {
    use crate::testing::{floats, run};
    use crate::{Expected, Judged};
    use std::sync::Arc;

    fn celu(alpha: f32, x: &[f32]) -> Arc<Expected> {
        run(&format!("Celu <alpha = {alpha:?}>"), 12, &[floats(&[x.len()], x)], 1).expect("the node is valid").remove(0)
    }

    #[test]
    fn celu_is_the_curve_below_zero_and_the_element_above() {
        let y = celu(2.0, &[-2.0, 3.0, f32::NEG_INFINITY, f32::INFINITY]);
        // The first element is 2 * (e^-1 - 1).
        let right = floats(&[4], &[-1.264_241_1, 3.0, -2.0, f32::INFINITY]);
        assert!((0..4).all(|i| y.judge(&right, i) == Judged::Accepted));
        let wrong = floats(&[4], &[-1.264_25, 3.00001, -1.999, f32::MAX]);
        assert!((0..4).all(|i| y.judge(&wrong, i) == Judged::Wrong));
    }

    /// For alpha = -1, the description gives max(0, 1) + min(0, ...) = 1, and the function body -1 * Elu(-1) = 1 - 1/e.
    #[test]
    fn whether_formula_or_function_body_counts_for_a_negative_alpha_is_open() {
        let y = celu(-1.0, &[1.0]);
        assert_eq!(y.judge(&floats(&[1], &[1.0]), 0), Judged::Accepted);
        assert!(matches!(y.judge(&floats(&[1], &[0.632_120_55]), 0), Judged::Latitude(_)));
        assert_eq!(y.judge(&floats(&[1], &[0.8]), 0), Judged::Wrong);
        assert!(matches!(celu(0.1, &[1e38]).judge(&floats(&[1], &[f32::INFINITY]), 0), Judged::Latitude(_)));
        assert!(matches!(celu(0.0, &[1.0]).judge(&floats(&[1], &[f32::NAN]), 0), Judged::Latitude(_)));
        assert_eq!(celu(0.0, &[1.0]).judge(&floats(&[1], &[2.0]), 0), Judged::Wrong);
    }
}

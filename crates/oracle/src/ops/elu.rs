use crate::families::activation::{computed, piecewise};
use crate::prelude::*;

/// Computes `alpha * (e^x - 1)` for elements below zero, and `x` itself from zero on.
///
/// Versions 1, 6 and 22 have the same meaning; version 22 adds bfloat16. Infinities: `infinity`; NaN: `nan`; zeros:
/// `signed-zero`.
pub fn elu(call: &Call) -> Answer {
    let alpha = call.float("alpha")?;
    let below = |x: Number| {
        let y = computed(
            x,
            |x| f64::from(alpha) * libm::expm1(x),
            &[&|x, w| w.attribute(alpha) * (x.exp() - x.like(1.0)), &|x, w| w.attribute(alpha) * x.exp_m1()],
        );
        // An infinite alpha may be multiplied by 0.
        let curve = (x.exp() - x.like(1.0)).real();
        let vanishes = curve.low <= 0.0 && curve.high >= 0.0;
        if alpha.is_finite() || !vanishes { y } else { y.or(x.like(f64::NAN), rule::NAN) }
    };
    call.map("X", |x| piecewise(x, 0.0, below, Number::with_any_zero))
}

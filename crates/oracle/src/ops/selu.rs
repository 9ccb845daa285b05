use crate::families::activation::{computed, operation, piecewise};
use crate::prelude::*;

/// Computes `gamma * (alpha * e^x - alpha)` for elements up to zero, and `gamma * x` above.
///
/// Versions 1, 6 and 22 have the same meaning; version 6 changes the defaults of the attributes, version 22 adds
/// bfloat16. Infinities: `infinity`; NaN: `nan`.
pub fn selu(call: &Call) -> Answer {
    let (alpha, gamma) = (call.float("alpha")?, call.float("gamma")?);
    let (exact_alpha, exact_gamma) = (f64::from(alpha), f64::from(gamma));
    // With an infinite factor the steps may multiply 0 by infinity, or subtract infinities.
    let or_nan = |x: Number, y: Number| {
        let curve = (x.exp() - x.like(1.0)).real();
        let vanishes = curve.low <= 0.0 && curve.high >= 0.0;
        if alpha.is_finite() && (gamma.is_finite() || !vanishes) { y } else { y.or(x.like(f64::NAN), rule::NAN) }
    };
    let below = |x: Number| {
        let y = computed(
            x,
            |x| exact_gamma * exact_alpha * libm::expm1(x),
            &[
                &|x, w| w.attribute(gamma) * (w.attribute(alpha) * x.exp() - w.attribute(alpha)),
                &|x, w| w.attribute(gamma) * (w.attribute(alpha) * (x.exp() - x.like(1.0))),
                &|x, w| w.attribute(gamma) * (w.attribute(alpha) * x.exp_m1()),
                &|x, w| w.attribute(gamma) * w.attribute(alpha) * (x.exp() - x.like(1.0)),
                &|x, w| w.attribute(gamma) * w.attribute(alpha) * x.exp_m1(),
            ],
        );
        or_nan(x, y)
    };
    let above = |x: Number| operation(x, |x| exact_gamma * x, &[&|x, w| w.attribute(gamma) * x]);
    // At zero, both branches give a zero, whose sign is left open (`signed-zero`). If alpha is infinite or NaN, the
    // lower branch gives NaN.
    call.map("X", |x| {
        let y = piecewise(x, 0.0, below, above);
        if x.mid() == 0.0 && !alpha.is_finite() { y.or(x.like(f64::NAN), rule::NAN) } else { y }
    })
}

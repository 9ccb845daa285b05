use crate::families::activation::{computed, operation, piecewise};
use crate::prelude::*;

/// Selu-1, -6, -22: one meaning; 6 changes the defaults, 22 adds bfloat16. `gamma * (alpha * e^x - alpha)` up to zero, `gamma * x` above.
/// Infinities: `infinity`; NaN: `nan`.
pub fn selu(call: &Call) -> Answer {
    let (alpha, gamma) = (call.float("alpha")?, call.float("gamma")?);
    let (exact_alpha, exact_gamma) = (f64::from(alpha), f64::from(gamma));
    let below = |x: Number| {
        computed(
            x,
            |x| exact_gamma * exact_alpha * libm::expm1(x),
            &[
                &|x, w| w.attribute(gamma) * (w.attribute(alpha) * x.exp() - w.attribute(alpha)),
                &|x, w| w.attribute(gamma) * (w.attribute(alpha) * (x.exp() - x.like(1.0))),
                &|x, w| w.attribute(gamma) * (w.attribute(alpha) * x.exp_m1()),
                &|x, w| w.attribute(gamma) * w.attribute(alpha) * (x.exp() - x.like(1.0)),
                &|x, w| w.attribute(gamma) * w.attribute(alpha) * x.exp_m1(),
            ],
        )
    };
    let above = |x: Number| operation(x, |x| exact_gamma * x, &[&|x, w| w.attribute(gamma) * x]);
    // At zero both are zero, of either sign (`signed-zero`).
    call.map("X", |x| piecewise(x, 0.0, below, above))
}

use crate::families::activation::{computed, exact_sigmoid, or_limit, sigmoid, sigmoid_below_zero};
use crate::prelude::*;

/// Swish-24: `x * sigmoid(alpha * x)`. Infinities: `infinity-times-zero`; NaN: `nan`.
pub fn swish(call: &Call) -> Answer {
    let alpha = call.float("alpha")?;
    call.map("X", |x| swished(x, alpha))
}

/// One element.
pub fn swished(x: Number, alpha: f32) -> Number {
    let exact = |x: f64| x * exact_sigmoid(f64::from(alpha) * x);
    let y = computed(
        x,
        exact,
        &[
            &|x, w| x * sigmoid(w.attribute(alpha) * x),
            &|x, w| x * sigmoid_below_zero(w.attribute(alpha) * x),
            &|x, w| x / (x.like(1.0) + (-(w.attribute(alpha) * x)).exp()),
        ],
    );
    // Infinity times 0: the sigmoid is 0 there, or a half where alpha is 0.
    or_limit(y, x, if alpha == 0.0 { x.mid() } else { 0.0 }, rule::INFINITY_TIMES_ZERO)
}

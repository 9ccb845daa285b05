use crate::families::activation::{computed, exact_sigmoid, or_limit, sigmoid, sigmoid_below_zero};
use crate::prelude::*;

/// Computes `x * sigmoid(alpha * x)` for each element. Infinities: `infinity-times-zero`; NaN: `nan`.
///
/// The only version is 24.
pub fn swish(call: &Call) -> Answer {
    let alpha = call.float("alpha")?;
    call.map("X", |x| swished(x, alpha))
}

/// Computes Swish of one element.
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
    if alpha.is_nan() {
        return y;
    }
    // The formula gives NaN where it multiplies an infinite element by a sigmoid that is 0; the limit there is 0. If
    // alpha is 0, `alpha * x` is already NaN (0 times infinity); finite elements give `x / 2`, whose limit is the
    // infinite element itself.
    or_limit(y, x, if alpha == 0.0 { x.mid() } else { 0.0 }, rule::INFINITY_TIMES_ZERO)
}

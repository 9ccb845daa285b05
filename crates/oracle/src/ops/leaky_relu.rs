use crate::families::activation::{operation, or_limit, piecewise};
use crate::prelude::*;

/// Computes `alpha * x` for elements below zero, and `x` itself from zero on.
///
/// Versions 1, 6 and 16 have the same meaning; version 16 adds bfloat16. NaN: `nan`; alpha = 0: `infinity-times-zero`;
/// zeros: `signed-zero`.
pub fn leaky_relu(call: &Call) -> Answer {
    let alpha = call.float("alpha")?;
    let leak = |x: Number| {
        let y = operation(x, |x| f64::from(alpha) * x, &[&|x, w| w.attribute(alpha) * x]);
        or_limit(y, x, 0.0, rule::INFINITY_TIMES_ZERO)
    };
    call.map("X", |x| piecewise(x, 0.0, leak, Number::with_any_zero))
}

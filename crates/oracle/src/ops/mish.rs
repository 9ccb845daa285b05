use crate::families::activation::{computed, exact_softplus, or_limit, softplus, softplus_of_magnitude};
use crate::prelude::*;

/// Computes `x * tanh(ln(1 + e^x))` for each element.
///
/// Versions 18 and 22 have the same meaning; version 22 adds bfloat16. Minus infinity: `infinity-times-zero`; NaN:
/// `nan`.
pub fn mish(call: &Call) -> Answer {
    call.map("X", |x| {
        let y = computed(
            x,
            |x| x * libm::tanh(exact_softplus(x)),
            &[&|x, _| x * softplus(x).tanh(), &|x, _| x * softplus_of_magnitude(x).tanh()],
        );
        or_limit(y, x, 0.0, rule::INFINITY_TIMES_ZERO)
    })
}

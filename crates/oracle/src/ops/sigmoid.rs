use crate::families::activation::{computed, exact_sigmoid, sigmoid as formula, sigmoid_below_zero, within};
use crate::prelude::*;

/// Computes `1 / (1 + e^-x)` for each element.
///
/// Versions 1, 6 and 13 have the same meaning; version 13 adds bfloat16. Infinities: `infinity`; NaN: `nan`.
pub fn sigmoid(call: &Call) -> Answer {
    call.map("X", |x| {
        within(computed(x, exact_sigmoid, &[&|x, _| formula(x), &|x, _| sigmoid_below_zero(x)]), 0.0, 1.0)
    })
}

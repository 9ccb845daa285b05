use crate::families::activation::{computed, exact_sigmoid, sigmoid as formula, sigmoid_below_zero, within};
use crate::prelude::*;

/// Sigmoid-1, -6, -13: one meaning; 13 adds bfloat16. `1 / (1 + e^-x)`. Infinities: `infinity`; NaN: `nan`.
pub fn sigmoid(call: &Call) -> Answer {
    call.map("X", |x| {
        within(computed(x, exact_sigmoid, &[&|x, _| formula(x), &|x, _| sigmoid_below_zero(x)]), 0.0, 1.0)
    })
}

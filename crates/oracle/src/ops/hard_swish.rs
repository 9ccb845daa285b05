use crate::families::activation::{Formula, computed, multiply_add, or_limit, within};
use crate::prelude::*;

/// Computes `x * max(0, min(1, x / 6 + 1/2))` for each element.
///
/// Versions 14 and 22 have the same meaning; version 22 adds bfloat16. Infinities: `infinity-times-zero`; NaN: `nan`;
/// the precision of 1/6 for double: `coefficient-precision`.
pub fn hard_swish(call: &Call) -> Answer {
    call.map("X", |x| {
        let y = by_text(x);
        let y = or_limit(y, x, 0.0, rule::INFINITY_TIMES_ZERO);
        match x.dtype() {
            DType::Double if y.mid().is_finite() => y.or(by_body(x), rule::COEFFICIENT_PRECISION),
            _ => y,
        }
    })
}

fn ramp(x: f64) -> f64 {
    (x / 6.0 + 0.5).clamp(0.0, 1.0)
}

fn by_text(x: Number) -> Number {
    let bounded = |x: Number| within(x + x.like(3.0), 0.0, 6.0);
    let formulas: [Formula; 6] = [
        &|x, w| x * within(multiply_add(w.constant(1.0 / 6.0), x, x.like(0.5)), 0.0, 1.0),
        &|x, _| x * within(x / x.like(6.0) + x.like(0.5), 0.0, 1.0),
        &|x, _| x * (bounded(x) / x.like(6.0)),
        &|x, w| x * (bounded(x) * w.constant(1.0 / 6.0)),
        &|x, _| x * bounded(x) / x.like(6.0),
        &|x, w| x * bounded(x) * w.constant(1.0 / 6.0),
    ];
    computed(x, |x| x * ramp(x), &formulas)
}

/// Computes the function body, which has 1/6 as a float32, whatever the element type is.
fn by_body(x: Number) -> Number {
    let sixth = 1.0f32 / 6.0;
    let exact = |x: f64| x * f64::from(sixth).mul_add(x, 0.5).clamp(0.0, 1.0);
    computed(x, exact, &[&|x, w| x * within(multiply_add(w.attribute(sixth), x, x.like(0.5)), 0.0, 1.0)])
}

use std::f64::consts::FRAC_2_PI;

use crate::families::activation::{Formula, computed, or_limit};
use crate::ops::gelu::{by_angle, halved};
use crate::prelude::*;

/// Computes `x / 2 * (1 + tanh(0.797885 * x + 0.035677 * x^3))` for each element `x` of `X`, or of the sum of `X` and
/// `bias`.
///
/// The only version is 1. A `bias` that does not broadcast to `X` is rejected (`bias-broadcasts`); whether others than
/// one number for each position along the last axis are accepted: `bias-shape`. Digits of the constants:
/// `coefficient-precision`; minus infinity: `infinity-times-zero`; NaN: `nan`.
pub fn fast_gelu(call: &Call) -> Answer {
    let x = call.tensor("X")?;
    let Some(bias) = call.optional_tensor("bias")? else { return call.map("X", approximated) };
    if !shape::broadcasts_to(bias.shape(), x.shape()) {
        return Err(Refusal::violates(
            rule::BIAS_BROADCASTS,
            format!("`bias` of shape {:?} does not broadcast to `X` of shape {:?}", bias.shape(), x.shape()),
        ));
    }
    if bias.rank() != 1 || x.shape().last() != bias.shape().last() {
        call.leaves_open(rule::BIAS_SHAPE);
    }
    let at = shape::broadcast_indices(bias.shape(), x.shape());
    let element = |i: usize| x.number(i).each_pair(bias.number(at[i]), |x, bias| approximated(x + bias));
    call.answer(x.shape().to_vec(), (0..x.len()).map(element))
}

fn approximated(x: Number) -> Number {
    let y = by_products(x, 0.797885, 0.035677);
    if !y.mid().is_finite() {
        return or_limit(y, x, 0.0, rule::INFINITY_TIMES_ZERO);
    }
    let linear = FRAC_2_PI.sqrt();
    let others = [by_angle(x, FRAC_2_PI, 0.044715), by_products(x, linear, 0.044715 * linear)];
    others.into_iter().fold(y, |y, other| y.or(other, rule::COEFFICIENT_PRECISION))
}

/// Computes `x / 2 * (1 + tanh(linear * x + cubic * x^3))`.
fn by_products(x: Number, linear: f64, cubic: f64) -> Number {
    let exact = |x: f64| x / (1.0 + libm::exp(-2.0 * (linear * x + cubic * x * x * x)));
    let formulas: [Formula; 3] = [
        &|x, w| halved(x, (w.constant(linear) * x + w.constant(cubic) * (x * x * x)).tanh()),
        &|x, w| halved(x, (w.constant(linear) * x + w.constant(cubic) * x.power(x.like(3.0))).tanh()),
        &|x, w| halved(x, (x * (w.constant(linear) + w.constant(cubic) * (x * x))).tanh()),
    ];
    computed(x, exact, &formulas)
}

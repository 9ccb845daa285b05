//! Activations.

use super::super::memory::Memory;
use super::{Run, Written, dtype, functions, map, zip};
use crate::cpu::element::{Number, Wide, with_number};
use crate::directml::description::OperatorDescription;

pub const OPERATORS: &[(&str, Run)] = &[
    ("ACTIVATION_CELU", celu),
    ("ACTIVATION_ELU", elu),
    ("ACTIVATION_GELU", gelu),
    ("ACTIVATION_HARD_SIGMOID", hard_sigmoid),
    ("ACTIVATION_IDENTITY", identity),
    ("ACTIVATION_LEAKY_RELU", leaky_relu),
    ("ACTIVATION_LINEAR", linear),
    ("ACTIVATION_PARAMETERIZED_RELU", parameterized_relu),
    ("ACTIVATION_RELU", relu),
    ("ACTIVATION_SCALED_ELU", scaled_elu),
    ("ACTIVATION_SCALED_TANH", scaled_tanh),
    ("ACTIVATION_SHRINK", shrink),
    ("ACTIVATION_SIGMOID", sigmoid),
    ("ACTIVATION_SOFTPLUS", softplus),
    ("ACTIVATION_SOFTSIGN", softsign),
    ("ACTIVATION_TANH", tanh),
    ("ACTIVATION_THRESHOLDED_RELU", thresholded_relu),
];

/// 1 / (1 + e^-x), with no power that overflows.
fn logistic<W: Wide>(x: W) -> W {
    let e = Number::abs(x).neg().exp();
    let whole = W::one().add(e);
    if x < W::zero() { e.div(whole) } else { W::one().div(whole) }
}

functions! {
    celu(alpha: "Alpha") x => if x > 0.0 { x } else { alpha * (x / alpha).exp_m1() };
    elu(alpha: "Alpha") x => if x > 0.0 { x } else { alpha * x.exp_m1() };
    gelu() x => 0.5 * x * Wide::erfc(-x * W::of(std::f64::consts::FRAC_1_SQRT_2));
    hard_sigmoid(alpha: "Alpha", beta: "Beta") x => (alpha * x + beta).smaller(1.0).larger(0.0);
    leaky_relu(alpha: "Alpha") x => if x < 0.0 { alpha * x } else { x };
    linear(alpha: "Alpha", beta: "Beta") x => alpha * x + beta;
    scaled_elu(alpha: "Alpha", gamma: "Gamma") x => if x > 0.0 { gamma * x } else { gamma * (alpha * x.exp_m1()) };
    scaled_tanh(alpha: "Alpha", beta: "Beta") x => alpha * (beta * x).tanh();
    shrink(bias: "Bias", threshold: "Threshold") x => {
        if x < -threshold { x + bias } else if x > threshold { x - bias } else { 0.0 }
    };
    sigmoid() x => logistic(x);
    softplus(steepness: "Steepness") x => {
        let steep = steepness * x;
        (steep.larger(0.0) + (-Number::abs(steep)).exp().ln_1p()) / steepness
    };
    softsign() x => x / (1.0 + Number::abs(x));
    tanh() x => x.tanh();
    thresholded_relu(alpha: "Alpha") x => if x > alpha { x } else { 0.0 };
}

fn identity(description: &OperatorDescription, memory: &Memory) -> Written {
    with_number!(dtype(description)?, T => map(description, memory, |x: T| x))
}

fn relu(description: &OperatorDescription, memory: &Memory) -> Written {
    with_number!(dtype(description)?, T => map(description, memory, |x: T| Number::larger(x, T::zero())))
}

fn parameterized_relu(description: &OperatorDescription, memory: &Memory) -> Written {
    with_number!(dtype(description)?, T => zip(description, memory, |x: T, slope: T| {
        if x < T::zero() { Number::mul(x, slope) } else { x }
    }))
}

//! Activation operators.

use super::super::call::{Call, Run, Stop, Written, wrong};
use super::super::types::numbers;
use super::scaled::scaled;
use super::{copied, dtype, functions, map, zip};
use crate::description::OperatorDescription;
use plumbline_cpu::element::{Number, Wide};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Run)] = &[
    ("ACTIVATION_CELU", celu),
    ("ACTIVATION_ELU", elu),
    ("ACTIVATION_GELU", gelu),
    ("ACTIVATION_HARD_SIGMOID", hard_sigmoid),
    ("ACTIVATION_HARD_SWISH", hard_swish),
    ("ACTIVATION_IDENTITY", copied),
    ("ACTIVATION_LEAKY_RELU", leaky_relu),
    ("ACTIVATION_LINEAR", linear),
    ("ACTIVATION_PARAMETERIZED_RELU", parameterized_relu),
    ("ACTIVATION_PARAMETRIC_SOFTPLUS", parametric_softplus),
    ("ACTIVATION_RELU", relu),
    ("ACTIVATION_RELU_GRAD", relu_grad),
    ("ACTIVATION_SCALED_ELU", scaled_elu),
    ("ACTIVATION_SCALED_TANH", scaled_tanh),
    ("ACTIVATION_SHRINK", shrunk),
    ("ACTIVATION_SIGMOID", sigmoid),
    ("ACTIVATION_SOFTPLUS", softplus),
    ("ACTIVATION_SOFTSIGN", softsign),
    ("ACTIVATION_SWISH", swish),
    ("ACTIVATION_TANH", tanh),
    ("ACTIVATION_THRESHOLDED_RELU", thresholded_relu),
];

/// Computes 1 / (1 + e^-x) without an exponential that overflows.
fn logistic<W: Wide>(x: W) -> W {
    let e = Number::abs(x).neg().exp();
    let whole = W::one().add(e);
    if x < W::zero() { e.div(whole) } else { W::one().div(whole) }
}

/// Defines functions of floats, and makes them available by name to operators that fuse an activation.
macro_rules! activations {
    ($($name:ident($($variable:ident: $attribute:literal),*) $x:ident => $value:expr;)*) => {
        functions! { $($name($($variable: $attribute),*) $x => $value;)* }

        /// Returns the function of an activation that another operator applies to its result.
        pub fn fused(description: &OperatorDescription) -> Result<Box<dyn Fn(f64) -> f64 + Sync>, Stop> {
            type W = f64;
            let name = description.name().trim_start_matches("ACTIVATION_").to_ascii_lowercase();
            let attribute = |field: &str| {
                description.float(field).map_or_else(|| wrong(field, "is missing"), |value| Ok(f64::from(value)))
            };
            match name.as_str() {
                "identity" => Ok(Box::new(|x| x)),
                "relu" => Ok(Box::new(|x| x.larger(0.0))),
                "element_wise_clip" => {
                    let (least, most) = (attribute("Min")?, attribute("Max")?);
                    let (scale, bias) = scaled(description).unwrap_or((1.0, 0.0));
                    Ok(Box::new(move |x| (x * scale + bias).larger(least).smaller(most)))
                }
                $(stringify!($name) => {
                    $(let $variable: W = attribute($attribute)?;)*
                    Ok(Box::new(move |$x: W| $value))
                })*
                _ => Err(Refusal::unsupported(format!("{} cannot be fused here", description.name())).into()),
            }
        }
    };
}

activations! {
    celu(alpha: "Alpha") x => if x > 0.0 { x } else { alpha * (x / alpha).exp_m1() };
    elu(alpha: "Alpha") x => if x >= 0.0 { x } else { alpha * x.exp_m1() };
    gelu() x => 0.5 * x * Wide::erfc(-x * W::from_double(std::f64::consts::FRAC_1_SQRT_2));
    hard_sigmoid(alpha: "Alpha", beta: "Beta") x => (alpha * x + beta).smaller(1.0).larger(0.0);
    hard_swish(alpha: "Alpha", beta: "Beta") x => x * (alpha * x + beta).smaller(1.0).larger(0.0);
    leaky_relu(alpha: "Alpha") x => if x < 0.0 { alpha * x } else { x };
    linear(alpha: "Alpha", beta: "Beta") x => alpha * x + beta;
    parametric_softplus(alpha: "Alpha", beta: "Beta") x => {
        let steep = beta * x;
        alpha * (steep.larger(0.0) + (-Number::abs(steep)).exp().ln_1p())
    };
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
    swish(scale: "SigmoidInputScale") x => x * logistic(scale * x);
    tanh() x => x.tanh();
    thresholded_relu(alpha: "Alpha") x => if x > alpha { x } else { 0.0 };
}

/// Computes ACTIVATION_SHRINK. Integers are computed in float64, and the fraction is dropped.
fn shrunk(call: &Call) -> Written {
    if dtype(call)?.is_float() {
        return shrink(call);
    }
    let (x, f) = (call.numbers("InputTensor")?.data, fused(call.description)?);
    Ok(vec![call.put("OutputTensor", &x.iter().map(|&x| f(x)).collect::<Vec<_>>())?])
}

fn relu(call: &Call) -> Written {
    numbers!(dtype(call)?, T => map(call, &|x: T| Number::larger(x, T::zero())))
}

fn parameterized_relu(call: &Call) -> Written {
    numbers!(dtype(call)?, T => zip(call, &|x: T, slope: T| {
        if x < T::zero() { Number::mul(x, slope) } else { x }
    }))
}

fn relu_grad(call: &Call) -> Written {
    numbers!(dtype(call)?, T => zip(call, &|x: T, gradient: T| if x > T::zero() { gradient } else { T::zero() }))
}

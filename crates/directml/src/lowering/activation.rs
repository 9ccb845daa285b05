//! Lowers activations.

use super::context::{Lowering, stretched};
use super::element_wise::unary;
use super::error::LoweringError;
use super::view::View;
use super::{Rule, Views};
use plumbline_graph::Refusal;
use plumbline_spec::directml::FeatureLevel;
use plumbline_spec::directml::TensorDataType::{Float16, Float32};

pub const OPERATORS: &[(&str, Rule)] = &[
    ("Celu", |lower| with(lower, "ACTIVATION_CELU", &[("Alpha", "alpha")])),
    ("Elu", |lower| with(lower, "ACTIVATION_ELU", &[("Alpha", "alpha")])),
    ("Gelu", gelu),
    ("HardSigmoid", |lower| with(lower, "ACTIVATION_HARD_SIGMOID", &[("Alpha", "alpha"), ("Beta", "beta")])),
    ("HardSwish", hard_swish),
    ("LeakyRelu", |lower| with(lower, "ACTIVATION_LEAKY_RELU", &[("Alpha", "alpha")])),
    ("Mish", mish),
    ("PRelu", p_relu),
    ("Relu", |lower| unary(lower, "ACTIVATION_RELU")),
    ("Selu", |lower| with(lower, "ACTIVATION_SCALED_ELU", &[("Alpha", "alpha"), ("Gamma", "gamma")])),
    ("Shrink", |lower| with(lower, "ACTIVATION_SHRINK", &[("Bias", "bias"), ("Threshold", "lambd")])),
    ("Sigmoid", |lower| unary(lower, "ACTIVATION_SIGMOID")),
    ("Softplus", softplus),
    ("Softsign", |lower| unary(lower, "ACTIVATION_SOFTSIGN")),
    ("SwiGLU", swiglu),
    ("Swish", swish),
    ("Tanh", |lower| unary(lower, "ACTIVATION_TANH")),
    ("ThresholdedRelu", |lower| with(lower, "ACTIVATION_THRESHOLDED_RELU", &[("Alpha", "alpha")])),
];

/// Lowers an activation whose DirectML attributes are ONNX's attributes under other names.
fn with(lower: &mut Lowering, operator: &'static str, attributes: &[(&'static str, &str)]) -> Views {
    let (x, node) = (lower.input(0)?, lower.node);
    let call = lower.call(operator).read("InputTensor", &x).write("OutputTensor", x.data_type, &x.sizes);
    Ok(vec![attributes.iter().fold(call, |call, (field, name)| call.set(field, node.float(name))).one()?])
}

/// Lowers Gelu. ACTIVATION_GELU is the exact function; the `tanh` approximation is decomposed into its formula and
/// computed in float32.
fn gelu(lower: &mut Lowering) -> Views {
    match lower.node.string("approximate")? {
        "none" => return unary(lower, "ACTIVATION_GELU"),
        "tanh" => {}
        other => return Err(Refusal::invalid(format!("`approximate` is `{other}`, expected `none` or `tanh`")).into()),
    }
    let given = lower.input(0)?;
    let x = if given.data_type == Float16 { lower.cast(&given, Float32)? } else { given.clone() };
    let square = lower.binary("ELEMENT_WISE_MULTIPLY", [&x, &x], Float32)?;
    let cubic = lower.with_number("ELEMENT_WISE_MULTIPLY", &square, 0.044715)?;
    let factor = lower.with_number("ELEMENT_WISE_ADD", &cubic, 1.0)?;
    let line = lower.with_number("ELEMENT_WISE_MULTIPLY", &x, std::f64::consts::FRAC_2_PI.sqrt())?;
    let angle = lower.binary("ELEMENT_WISE_MULTIPLY", [&line, &factor], Float32)?;
    let tanh = lower.unary("ACTIVATION_TANH", &angle)?;
    let share = lower.with_number("ELEMENT_WISE_ADD", &tanh, 1.0)?;
    let half = lower.with_number("ELEMENT_WISE_MULTIPLY", &x, 0.5)?;
    let y = lower.binary("ELEMENT_WISE_MULTIPLY", [&half, &share], Float32)?;
    Ok(vec![lower.cast(&y, given.data_type)?])
}

/// Lowers HardSwish, `x * HardSigmoid(x)`: to one operator from level 6_2 on, and to two operators at lower levels.
fn hard_swish(lower: &mut Lowering) -> Views {
    let x = lower.input(0)?;
    let whole = lower.level() >= FeatureLevel::V6_2;
    let operator = if whole { "ACTIVATION_HARD_SWISH" } else { "ACTIVATION_HARD_SIGMOID" };
    let call = lower.call(operator).read("InputTensor", &x).set("Alpha", 1.0f32 / 6.0).set("Beta", 0.5f32);
    let y = call.write("OutputTensor", x.data_type, &x.sizes).one()?;
    match whole {
        true => Ok(vec![y]),
        false => Ok(vec![lower.binary("ELEMENT_WISE_MULTIPLY", [&x, &y], x.data_type)?]),
    }
}

fn softplus(lower: &mut Lowering) -> Views {
    let x = lower.input(0)?;
    let call = lower.call("ACTIVATION_SOFTPLUS").read("InputTensor", &x).set("Steepness", 1);
    Ok(vec![call.write("OutputTensor", x.data_type, &x.sizes).one()?])
}

/// Mish: `x * Tanh(Softplus(x))`.
fn mish(lower: &mut Lowering) -> Views {
    let x = lower.input(0)?;
    let softplus = softplus(lower)?.remove(0);
    let tanh = lower.unary("ACTIVATION_TANH", &softplus)?;
    Ok(vec![lower.binary("ELEMENT_WISE_MULTIPLY", [&x, &tanh], x.data_type)?])
}

fn swish(lower: &mut Lowering) -> Views {
    let (x, alpha) = (lower.input(0)?, lower.node.float("alpha"));
    Ok(vec![swished(lower, &x, alpha)?])
}

/// Returns `x * Sigmoid(alpha * x)`. The operator for it exists from level 6_2 on.
pub fn swished(lower: &mut Lowering, x: &View, alpha: f32) -> Result<View, LoweringError> {
    let call = lower.call("ACTIVATION_SWISH").read("InputTensor", x).set("SigmoidInputScale", alpha);
    call.write("OutputTensor", x.data_type, &x.sizes).one()
}

/// SwiGLU: Swish of the first input, multiplied by the second one.
fn swiglu(lower: &mut Lowering) -> Views {
    let (a, b, alpha) = (lower.input(0)?, lower.input(1)?, lower.node.float("alpha"));
    if a.sizes != b.sizes {
        return Err(Refusal::invalid(format!(
            "the inputs have shapes {:?} and {:?}, expected equal shapes",
            a.sizes, b.sizes
        ))
        .into());
    }
    let swish = swished(lower, &a, alpha)?;
    Ok(vec![lower.binary("ELEMENT_WISE_MULTIPLY", [&swish, &b], a.data_type)?])
}

/// Lowers PRelu. Up to version 6 there is one slope per channel, or one for all; from version 7 on the slope
/// broadcasts.
fn p_relu(lower: &mut Lowering) -> Views {
    let (x, slope) = (lower.input(0)?, lower.input(1)?);
    let by_channel = lower.since() < 7 && slope.rank() == 1 && slope.count() > 1 && x.rank() > 1;
    let slope = match (by_channel, slope.count()) {
        (true, _) => slope.placed(1, x.rank()),
        (false, 1) => slope.reshaped(&[]),
        (false, _) => slope,
    };
    let slope = stretched(&slope, &x.sizes)?;
    let call = lower.call("ACTIVATION_PARAMETERIZED_RELU").read("InputTensor", &x).read("SlopeTensor", &slope);
    Ok(vec![call.write("OutputTensor", x.data_type, &x.sizes).one()?])
}

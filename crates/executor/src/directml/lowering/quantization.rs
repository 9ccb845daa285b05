//! QuantizeLinear, DequantizeLinear, DynamicQuantizeLinear.

use super::context::{Lowering, axis_of, scalar, stretched};
use super::error::{LoweringError, Unsupported};
use super::view::View;
use super::{Rule, Views};
use crate::refusal::Refusal;
use plumbline_spec::directml::{FeatureLevel, TensorDataType};
use plumbline_tensor::DType;

pub const OPERATORS: &[(&str, Rule)] =
    &[("DequantizeLinear", dequantize), ("DynamicQuantizeLinear", dynamic_quantize), ("QuantizeLinear", quantize)];

/// A scale or a zero point, with the dimensions of `x`: one for all, one for each place along the axis, or one for each
/// block of them.
fn placed(lower: &Lowering, x: &View, factor: &View) -> Result<View, LoweringError> {
    if factor.count() == 1 {
        return Ok(factor.reshaped(&[]).placed(0, x.rank()));
    }
    if factor.rank() == x.rank() && x.rank() > 1 {
        return Ok(factor.clone());
    }
    let axis = axis_of(lower.node.optional_int("axis").unwrap_or(1), x.rank())?;
    match factor.rank() {
        1 => Ok(factor.placed(axis, x.rank())),
        rank => Err(Refusal::invalid(format!("a scale of {rank} dimensions")).into()),
    }
}

/// Whether it takes QUANTIZE or DEQUANTIZE: for 4 bits, and for a factor for several places.
fn by_blocks(x: &View, to: TensorDataType, scale: &View) -> bool {
    let several = scale.sizes.iter().zip(&x.sizes).any(|(&scale, &size)| scale != size && scale != 1);
    several || [x.data_type, to].iter().any(|known| known.bits() == Some(4))
}

/// The call with scale and zero point in the form its operator takes.
fn converted(
    lower: &mut Lowering,
    [whole, by_block]: [&'static str; 2],
    x: &View,
    to: TensorDataType,
    factors: [Option<View>; 2],
) -> Views {
    let [Some(scale), zero] = factors else { return Err(Refusal::invalid("there is no scale").into()) };
    let scale = placed(lower, x, &scale)?;
    let zero = zero.map(|zero| placed(lower, x, &zero)).transpose()?;
    if by_blocks(x, to, &scale) {
        let even = scale.sizes.iter().zip(&x.sizes).all(|(&scale, &x)| x % scale == 0);
        if !even {
            return Err(Unsupported::value("`block_size`", "does not divide the axis").into());
        }
        let kind = if zero.is_some() { "SCALE_ZERO_POINT" } else { "SCALE" };
        let call = lower.call(by_block).read("InputTensor", x).set("QuantizationType", kind).keep(0..x.rank());
        let call = call.read("QuantizationTensors", &scale).optional("QuantizationTensors", zero.as_ref());
        return Ok(vec![call.write("OutputTensor", to, &x.sizes).one()?]);
    }
    let quantized = if whole == "ELEMENT_WISE_QUANTIZE_LINEAR" { to } else { x.data_type };
    let zero = match zero {
        // Before 6_2 it may not be left out.
        None if lower.level() < FeatureLevel::V6_2 => Some(lower.constant("0", quantized, scalar(quantized, 0.0))),
        zero => zero,
    };
    let scale = stretched(&scale, &x.sizes)?;
    let zero = zero.map(|zero| stretched(&zero, &x.sizes)).transpose()?;
    let call = lower.call(whole).read("InputTensor", x).read("ScaleTensor", &scale);
    let call = call.optional("ZeroPointTensor", zero.as_ref());
    Ok(vec![call.write("OutputTensor", to, &x.sizes).one()?])
}

/// What is divided and what by, of the type the division has: that of `precision`, or of the scale.
fn divided(lower: &mut Lowering, x: View, scale: View) -> Result<[View; 2], LoweringError> {
    let asked = lower.node.optional_int("precision").filter(|&code| code != 0);
    let asked = asked.and_then(|code| DType::from_code(i32::try_from(code).ok()?));
    let precision = asked.map_or(Ok(scale.data_type), |dtype| super::context::carried("precision", dtype))?;
    // Integers are divided by float32 as they are.
    let as_it_is = x.data_type == TensorDataType::Int32 && precision == TensorDataType::Float32;
    let x = if as_it_is { x } else { lower.cast(&x, precision)? };
    Ok([x, lower.cast(&scale, precision)?])
}

/// QuantizeLinear: to the type of the zero point, or what is asked for, or uint8.
fn quantize(lower: &mut Lowering) -> Views {
    let (x, scale, zero) = (lower.input(0)?, lower.input(1)?, lower.optional(2)?);
    let asked = lower.node.optional_int("output_dtype").filter(|&code| code != 0);
    let asked = asked.and_then(|code| DType::from_code(i32::try_from(code).ok()?));
    let asked = asked.map_or(Ok(TensorDataType::Uint8), |dtype| super::context::carried("y", dtype))?;
    let to = zero.as_ref().map_or(asked, |zero| zero.data_type);
    let [x, scale] = divided(lower, x, scale)?;
    converted(lower, ["ELEMENT_WISE_QUANTIZE_LINEAR", "QUANTIZE"], &x, to, [Some(scale), zero])
}

fn dequantize(lower: &mut Lowering) -> Views {
    let (x, scale, zero) = (lower.input(0)?, lower.input(1)?, lower.optional(2)?);
    let to = scale.data_type;
    let asked = lower.node.optional_int("output_dtype").filter(|&code| code != 0);
    let asked = asked.and_then(|code| DType::from_code(i32::try_from(code).ok()?));
    if let Some(asked) = asked.filter(|&asked| TensorDataType::of_onnx(asked) != Some(to)) {
        return Err(Unsupported::value("`output_dtype`", format!("is {asked}, and the scale is {to}")).into());
    }
    converted(lower, ["ELEMENT_WISE_DEQUANTIZE_LINEAR", "DEQUANTIZE"], &x, to, [Some(scale), zero])
}

fn dynamic_quantize(lower: &mut Lowering) -> Views {
    let x = lower.input(0)?;
    let ones = vec![1; x.rank()];
    let call = lower.call("DYNAMIC_QUANTIZE_LINEAR").read("InputTensor", &x).keep(0..x.rank());
    let call = call.write("OutputTensor", TensorDataType::Uint8, &x.sizes);
    let call = call.write("OutputScaleTensor", TensorDataType::Float32, &ones);
    let mut views = call.write("OutputZeroPointTensor", TensorDataType::Uint8, &ones).all()?;
    views.iter_mut().skip(1).for_each(|view| *view = view.reshaped(&[]));
    Ok(views)
}

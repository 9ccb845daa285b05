//! Lowers QuantizeLinear, DequantizeLinear and DynamicQuantizeLinear.

use super::context::{Lowering, axis_of, scalar, stretched};
use super::error::{LoweringError, Unsupported};
use super::view::View;
use super::{Rule, Views};
use plumbline_graph::Refusal;
use plumbline_spec::TypeStr;
use plumbline_spec::directml::{FeatureLevel, TensorDataType};
use plumbline_tensor::DType;

pub const OPERATORS: &[(&str, Rule)] =
    &[("DequantizeLinear", dequantize), ("DynamicQuantizeLinear", dynamic_quantize), ("QuantizeLinear", quantize)];

/// Returns a scale or a zero point with the rank of `x`. It has one element for the whole tensor, one for each position
/// along the axis, or one for each block of positions.
fn placed(lower: &Lowering, x: &View, factor: &View) -> Result<View, LoweringError> {
    if factor.count() == 1 {
        return Ok(factor.reshaped(&[]).placed(0, x.rank()));
    }
    if factor.rank() == x.rank() && x.rank() > 1 {
        return Ok(factor.clone());
    }
    let axis = axis(lower, x)?;
    match factor.rank() {
        1 => Ok(factor.placed(axis, x.rank())),
        rank => Err(Refusal::invalid(format!(
            "the scale has rank {rank}, expected a scalar, a vector or the rank of the input"
        ))
        .into()),
    }
}

/// Checks ONNX's rules for the shapes of a scale and a zero point: one number, a list along the axis, or one number for
/// each block.
fn factors_fit(lower: &Lowering, x: &View, scale: &View, zero: Option<&View>) -> Result<(), LoweringError> {
    let invalid = |message: String| Err(Refusal::invalid(message).into());
    // A scalar and a list with one element are the same here.
    let single = |view: &View| view.count() == 1 && view.rank() <= 1;
    let differs = |zero: &&View| zero.sizes != scale.sizes && !(single(zero) && single(scale));
    if let Some(zero) = zero.filter(differs) {
        return invalid(format!(
            "the zero point has shape {:?}, but the scale has shape {:?}",
            zero.sizes, scale.sizes
        ));
    }
    let block = lower.node.int("block_size");
    if block < 0 {
        return invalid(format!("`block_size` is {block}, expected at least 0"));
    }
    // A scale of another rank is for the whole tensor or for slices along the axis, and `block_size` does not apply.
    let block = if scale.rank() == x.rank() { block } else { 0 };
    // A single scale is for the whole tensor, whatever `axis` and `block_size` are.
    if scale.count() == 1 && (block == 0 || scale.rank() <= 1) {
        return Ok(());
    }
    let fits = match scale.sizes.as_slice() {
        _ if lower.since() < 13 => false,
        blocks if block > 0 => {
            let axis = axis(lower, x)?;
            let cover = |(d, (&blocks, &size)): (usize, (&u32, &u32))| match d == axis {
                true => {
                    i64::from(size).div_euclid(block) + i64::from(i64::from(size) % block != 0) == i64::from(blocks)
                }
                false => blocks == size,
            };
            blocks.len() == x.rank() && blocks.iter().zip(&x.sizes).enumerate().all(cover)
        }
        [count] => *count == x.sizes[axis(lower, x)?],
        _ => false,
    };
    if fits {
        Ok(())
    } else {
        invalid(format!("a scale of shape {:?} does not fit an input of shape {:?}", scale.sizes, x.sizes))
    }
}

/// Returns the axis of a list of scales. From version 19 on, the axis of an `x` with one dimension is 0, whatever the
/// attribute says.
fn axis(lower: &Lowering, x: &View) -> Result<usize, LoweringError> {
    match x.rank() {
        1 if lower.since() >= 19 => Ok(0),
        rank => axis_of(lower.node.optional_int("axis").unwrap_or(1), rank),
    }
}

/// Returns the type that an attribute names; 0 stands for none.
fn named(lower: &Lowering, attribute: &str) -> Result<Option<DType>, LoweringError> {
    let Some(code) = lower.node.optional_int(attribute).filter(|&code| code != 0) else { return Ok(None) };
    let found = DType::from_code(code);
    found.map(Some).ok_or_else(|| {
        Refusal::invalid(format!("`{attribute}` is {code}, which is not the code of an element type")).into()
    })
}

/// Returns the type in `output_dtype`. It must be one of the output's types, and the type of the zero point if that is
/// given.
fn output_type(lower: &Lowering, zero: usize) -> Result<Option<DType>, LoweringError> {
    let Some(asked) = named(lower, "output_dtype")? else { return Ok(None) };
    let version = lower.node.version;
    let known = version.outputs.first().is_some_and(|y| version.types_of(y).contains(&TypeStr::Tensor(asked)));
    let other = lower.tensor(zero)?.is_some_and(|zero| zero.dtype() != asked);
    match known && !other {
        true => Ok(Some(asked)),
        false => Err(Refusal::invalid(format!(
            "`output_dtype` is {asked}, which is not a type of the output, or not that of the zero point"
        ))
        .into()),
    }
}

/// Returns whether the node needs QUANTIZE or DEQUANTIZE instead of an element-wise operator. It does for 4-bit types,
/// and if an element of the scale covers a block of positions.
fn by_blocks(x: &View, to: TensorDataType, scale: &View) -> bool {
    let several = scale.sizes.iter().zip(&x.sizes).any(|(&scale, &size)| scale != size && scale != 1);
    several || [x.data_type, to].iter().any(|known| known.bits() == Some(4))
}

/// Calls the operator `by_block` if scale or types need it, otherwise `whole`, with scale and zero point in the form
/// that the operator takes.
fn converted(
    lower: &mut Lowering,
    [whole, by_block]: [&'static str; 2],
    x: &View,
    to: TensorDataType,
    factors: [Option<View>; 2],
) -> Views {
    let [Some(scale), zero] = factors else { return Err(Refusal::invalid("the scale is missing").into()) };
    let scale = placed(lower, x, &scale)?;
    let zero = zero.map(|zero| placed(lower, x, &zero)).transpose()?;
    if by_blocks(x, to, &scale) {
        // The operator takes blocks of equal sizes, but ONNX's last block may be shorter.
        let block = lower.node.optional_int("block_size").unwrap_or(0);
        let fits = |scale: u32, x: u32| block == 0 || scale == 1 || i64::from(scale) * block == i64::from(x);
        let even = |(&scale, &x): (&u32, &u32)| scale == x || x % scale == 0 && fits(scale, x);
        let even = scale.sizes.iter().zip(&x.sizes).all(even);
        if !even {
            return Err(Unsupported::value("`block_size`", "does not divide the extent of the axis").into());
        }
        let kind = if zero.is_some() { "SCALE_ZERO_POINT" } else { "SCALE" };
        let call = lower.call(by_block).read("InputTensor", x).set("QuantizationType", kind).keep(0..x.rank());
        let call = call.read("QuantizationTensors", &scale).optional("QuantizationTensors", zero.as_ref());
        return Ok(vec![call.write("OutputTensor", to, &x.sizes).one()?]);
    }
    let quantized = if whole == "ELEMENT_WISE_QUANTIZE_LINEAR" { to } else { x.data_type };
    let zero = match zero {
        // Before level 6_2 the zero point is required.
        None if lower.level() < FeatureLevel::V6_2 => Some(lower.constant("0", quantized, scalar(quantized, 0.0))),
        zero => zero,
    };
    let scale = stretched(&scale, &x.sizes)?;
    let zero = zero.map(|zero| stretched(&zero, &x.sizes)).transpose()?;
    let call = lower.call(whole).read("InputTensor", x).read("ScaleTensor", &scale);
    let call = call.optional("ZeroPointTensor", zero.as_ref());
    Ok(vec![call.write("OutputTensor", to, &x.sizes).one()?])
}

/// Casts the dividend and the divisor to the type of the division: `precision` if the node has it, otherwise the
/// scale's type.
fn divided(lower: &mut Lowering, x: View, scale: View) -> Result<[View; 2], LoweringError> {
    let asked = named(lower, "precision")?;
    if let Some(asked) = asked.filter(|asked| [DType::Bool, DType::String].contains(asked)) {
        return Err(Refusal::invalid(format!("`precision` is {asked}, expected a numeric type")).into());
    }
    let precision = asked.map_or(Ok(scale.data_type), |dtype| super::context::carried("precision", dtype))?;
    // ELEMENT_WISE_QUANTIZE_LINEAR divides int32 by float32 without a cast.
    let as_it_is = x.data_type == TensorDataType::Int32 && precision == TensorDataType::Float32;
    let x = if as_it_is { x } else { lower.cast(&x, precision)? };
    Ok([x, lower.cast(&scale, precision)?])
}

/// Lowers QuantizeLinear. The output has the type of the zero point, otherwise `output_dtype`, otherwise uint8.
fn quantize(lower: &mut Lowering) -> Views {
    let (x, scale, zero) = (lower.input(0)?, lower.input(1)?, lower.optional(2)?);
    factors_fit(lower, &x, &scale, zero.as_ref())?;
    let asked = output_type(lower, 2)?;
    let asked = asked.map_or(Ok(TensorDataType::Uint8), |dtype| super::context::carried("y", dtype))?;
    let to = zero.as_ref().map_or(asked, |zero| zero.data_type);
    let [x, scale] = divided(lower, x, scale)?;
    converted(lower, ["ELEMENT_WISE_QUANTIZE_LINEAR", "QUANTIZE"], &x, to, [Some(scale), zero])
}

fn dequantize(lower: &mut Lowering) -> Views {
    let (x, scale, zero) = (lower.input(0)?, lower.input(1)?, lower.optional(2)?);
    factors_fit(lower, &x, &scale, zero.as_ref())?;
    let to = scale.data_type;
    let asked = output_type(lower, usize::MAX)?;
    if let Some(asked) = asked.filter(|&asked| TensorDataType::of_onnx(asked) != Some(to)) {
        return Err(Unsupported::value(
            "`output_dtype`",
            format!("is {asked}, but DirectML dequantizes to the scale's type, {to}"),
        )
        .into());
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

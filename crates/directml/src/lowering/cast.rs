//! Lowers Cast and CastLike to CAST. 4-bit types are converted by DEQUANTIZE and QUANTIZE, the only operators that
//! support them.

use super::context::{Lowering, carried, is_float};
use super::error::LoweringError;
use super::view::View;
use super::{Rule, Views};
use crate::Scalar;
use plumbline_graph::Refusal;
use plumbline_spec::directml::TensorDataType::{self, Float32, Int4, Int32};
use plumbline_tensor::DType;

pub const OPERATORS: &[(&str, Rule)] = &[("Cast", cast), ("CastLike", cast)];

/// Quantizes or dequantizes with a scale of 1. The operator reads the tensor with one dimension.
fn by_scale(lower: &mut Lowering, operator: &'static str, x: &View, to: TensorDataType) -> Result<View, LoweringError> {
    let scale = lower.constant("1", Float32, Scalar::from(1.0f32)).reshaped(&[1]);
    let list = lower.packed(x.clone())?.reshaped(&[x.count()]);
    let call = lower.call(operator).read("InputTensor", &list).read("QuantizationTensors", &scale).keep([0]);
    let call = call.set("QuantizationType", "SCALE").write("OutputTensor", to, &list.sizes);
    Ok(call.one()?.reshaped(&x.sizes))
}

/// Converts to a 4-bit type: drops the fraction and keeps the lowest 4 bits, in two's complement.
fn narrowed(lower: &mut Lowering, x: &View, to: TensorDataType) -> Result<View, LoweringError> {
    let x = lower.cast(x, Int32)?;
    let low = lower.with_number("ELEMENT_WISE_BIT_AND", &x, 15.0)?;
    let number = match to {
        Int4 => {
            let sign = lower.with_number("ELEMENT_WISE_BIT_XOR", &low, 8.0)?;
            lower.with_number("ELEMENT_WISE_SUBTRACT", &sign, 8.0)?
        }
        _ => low,
    };
    let number = lower.cast(&number, Float32)?;
    by_scale(lower, "QUANTIZE", &number, to)
}

/// Cast and CastLike. To bool, everything that is not equal to zero becomes true, NaN included. ONNX Runtime casts to
/// UINT8 and clips to 1, which makes 0.5 false.
fn cast(lower: &mut Lowering) -> Views {
    let x = lower.input(0)?;
    let from = lower.tensor(0)?.map_or(DType::Float, plumbline_tensor::Tensor::dtype);
    let to = match lower.tensor(1)? {
        Some(target) => Some(target.dtype()),
        None if lower.since() < 6 => DType::from_name(&lower.node.string("to")?.to_lowercase()),
        None => DType::from_code(lower.node.int("to")),
    };
    let to = to.ok_or_else(|| Refusal::invalid("`to` is not an element type"))?;
    let data_type = carried("to", to)?;
    if from == to {
        return Ok(vec![x]);
    }
    let x = match x.data_type.bits() {
        Some(4) => {
            let number = by_scale(lower, "DEQUANTIZE", &x, Float32)?;
            // A later cast from INT32 to the target wraps negative numbers around if the target is unsigned.
            if is_float(data_type) { number } else { lower.cast(&number, Int32)? }
        }
        _ => x,
    };
    if data_type.bits() == Some(4) {
        return Ok(vec![narrowed(lower, &x, data_type)?]);
    }
    if to != DType::Bool || from == DType::Bool {
        return Ok(vec![lower.cast(&x, data_type)?]);
    }
    if lower.is_onnx_runtime() {
        let byte = lower.cast(&x, data_type)?;
        let call = lower.call("ELEMENT_WISE_CLIP1").read("InputTensor", &byte).set("MinMaxDataType", data_type);
        let call = call.set("Min", Scalar::from(0u8)).set("Max", Scalar::from(1u8));
        return Ok(vec![call.write("OutputTensor", data_type, &byte.sizes).one()?]);
    }
    Ok(vec![lower.not_zero(&x)?])
}

//! What kernels do not say about uncertain operands.
//!
//! In a graph, more than one value may be accepted for an element of an operand. A kernel accepts what implementations
//! compute from these values, before they store it in the type of the output: here the ends of its intervals are rounded
//! to that type.
//!
//! Kernels that combine many elements ([`COMBINING`]) compute with finite numbers and note where infinities or NaN may
//! occur, but cannot follow every way in which those may meet. Where one may occur, and an operand is uncertain, anything
//! is accepted.

use std::sync::Arc;

use plumbline_spec::OperatorId;
use plumbline_tensor::DType;

use super::expected::{Bounds, Collected, Expected};
use super::number::{Number, NumberKind};
use super::operand::Operand;
use super::real::Real;
use crate::Refusal;

/// The operators whose kernels combine many elements, and decide by preferred values.
const COMBINING: [&str; 55] = [
    "Attention",
    "AveragePool",
    "BatchNormalization",
    "CausalConvWithState",
    "Col2Im",
    "Conv",
    "ConvTranspose",
    "CumProd",
    "CumSum",
    "DFT",
    "DeformConv",
    "Det",
    "DynamicQuantizeLinear",
    "Einsum",
    "FlexAttention",
    "GRU",
    "Gemm",
    "GlobalAveragePool",
    "GlobalLpPool",
    "GridSample",
    "GroupNormalization",
    "InstanceNormalization",
    "LRN",
    "LSTM",
    "LayerNormalization",
    "LinearAttention",
    "LogSoftmax",
    "LpNormalization",
    "LpPool",
    "MatMul",
    "MaxRoiPool",
    "Mean",
    "MeanVarianceNormalization",
    "NegativeLogLikelihoodLoss",
    "QLinearConv",
    "QLinearMatMul",
    "RMSNormalization",
    "RNN",
    "ReduceL1",
    "ReduceL2",
    "ReduceLogSum",
    "ReduceLogSumExp",
    "ReduceMean",
    "ReduceProd",
    "ReduceSum",
    "ReduceSumSquare",
    "Resize",
    "RoiAlign",
    "RotaryEmbedding",
    "STFT",
    "Softmax",
    "SoftmaxCrossEntropyLoss",
    "Sum",
    "SwiGLU",
    "Upsample",
];

/// The domains whose kernels all combine many elements, and decide by preferred values.
const COMBINING_DOMAINS: [&str; 2] = ["ai.onnx.ml", "ai.onnx.preview.training"];

/// Returns the outputs of an operator for these inputs, with everything that is accepted if some inputs are uncertain.
///
/// # Errors
/// Returns a refusal if the elements of an output do not fit its type.
pub fn opened(id: &OperatorId, inputs: &[Option<Operand>], outputs: Vec<Operand>) -> Result<Vec<Operand>, Refusal> {
    let inputs = || inputs.iter().flatten();
    if !inputs().any(|operand| has_number(operand, &|x| !x.is_point())) {
        return Ok(outputs);
    }
    let combines = COMBINING.contains(&id.name.as_str()) || COMBINING_DOMAINS.contains(&id.domain.as_str());
    let element = match combines {
        true if inputs().any(|operand| has_number(operand, &may_stray)) => wherever_open,
        true => where_astray,
        false => return outputs.into_iter().map(with_stored_ends).collect(),
    };
    outputs.into_iter().map(|output| mapped(output, combines, &element)).collect()
}

/// Rounds the ends of the intervals of an operand to their type. A tensor of which nothing is left open keeps its
/// elements, and only its intervals are gone through.
fn with_stored_ends(operand: Operand) -> Result<Operand, Refusal> {
    let tensor = match operand {
        Operand::Tensor(tensor) if tensor.latitude.is_empty() && tensor.random.is_none() => tensor,
        other => return mapped(other, false, &stored),
    };
    let mut tensor = Arc::unwrap_or_clone(tensor);
    let dtype = tensor.dtype();
    if let Some(Bounds::Real(reals)) = &mut tensor.bounds {
        reals.iter_mut().for_each(|real| *real = stored_real(*real, dtype));
    }
    Ok(tensor.into())
}

/// Returns whether `test` is true of a number in an operand that is not certain.
fn has_number(operand: &Operand, test: &dyn Fn(&Number) -> bool) -> bool {
    match operand {
        Operand::Tensor(tensor) if tensor.bounds.is_none() && tensor.first_open().is_none() => false,
        Operand::Tensor(tensor) => is_numeric(tensor) && tensor.numbers().any(|x| test(&x)),
        Operand::Sequence { items, .. } | Operand::Map { items, .. } => items.iter().any(|item| has_number(item, test)),
        Operand::Optional { item, .. } => item.iter().any(|item| has_number(item, test)),
        Operand::Other(_) => false,
    }
}

fn is_numeric(tensor: &Expected) -> bool {
    tensor.dtype().is_float() || tensor.dtype().is_integer()
}

/// Returns whether an infinity or NaN is accepted, and other values as well.
fn may_stray(x: &Number) -> bool {
    !x.is_point() && x.may_be_infinite_or_nan()
}

/// Rounds the ends of an interval to the type.
fn stored(x: Number, dtype: DType) -> Number {
    x.map_real(|x| stored_real(x, dtype))
}

fn stored_real(x: Real, dtype: DType) -> Real {
    if x.is_point() { x } else { x.hull(x.to_dtype(dtype)) }
}

/// Accepts anything in place of a number that may be an infinity or NaN. Some kernels know what becomes of the ends of
/// several intervals together only to first order; what is missing is far below a thousandth of the result's interval.
fn where_astray(x: Number, dtype: DType) -> Number {
    const MISSING: f64 = 1e-3;
    if x.dtype().is_float() && x.may_be_infinite_or_nan() {
        return x.or_whole_range();
    }
    let wider = |x: Real| match x.is_point() {
        true => x,
        false => Real { low: x.low - MISSING * (x.mid - x.low), high: x.high + MISSING * (x.high - x.mid), ..x },
    };
    stored(x.map_real(wider), dtype)
}

/// Accepts anything in place of a number that may be an infinity or NaN, that a rule leaves open, or that is an
/// uncertain integer.
fn wherever_open(x: Number, dtype: DType) -> Number {
    let is_open = x.latitude.is_some() || matches!(x.kind, NumberKind::Int(x) if x.low != x.high);
    if is_open { x.or_whole_range() } else { where_astray(x, dtype) }
}

/// Applies `f` to each number of an operand that is not certain. With `any_zero`, signs of zeros do not count.
fn mapped(operand: Operand, any_zero: bool, f: &(dyn Fn(Number, DType) -> Number + Sync)) -> Result<Operand, Refusal> {
    let all = |items: Vec<Operand>| {
        items.into_iter().map(|item| mapped(item, any_zero, f)).collect::<Result<Vec<Operand>, Refusal>>()
    };
    Ok(match operand {
        Operand::Tensor(tensor) if is_numeric(&tensor) && tensor.random.is_none() => {
            let opened = Collected::computed(tensor.dtype(), tensor.len(), |i| f(tensor.number(i), tensor.dtype()))
                .into_expected(tensor.shape().to_vec())?;
            let opened = Expected { unordered: tensor.unordered, joint: tensor.joint.clone(), ..opened };
            if any_zero { opened.with_any_zero().into() } else { opened.into() }
        }
        Operand::Sequence { element, items } => Operand::Sequence { element, items: all(items)? },
        Operand::Map { keys, element, items } => Operand::Map { keys, element, items: all(items)? },
        Operand::Optional { element, item: Some(item) } => {
            Operand::Optional { element, item: Some(Box::new(mapped(*item, any_zero, f)?)) }
        }
        other => other,
    })
}

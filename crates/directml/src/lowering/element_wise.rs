//! Lowers element-wise arithmetic, Clip and Where.

use super::context::{Lowering, element, is_float, scalar, stretched};
use super::error::{LoweringError, Unsupported};
use super::view::{View, broadcast};
use super::{Rule, Views};
use crate::{Scalar, ScaleBias};
use plumbline_graph::Refusal;
use plumbline_spec::directml::{FeatureLevel, TensorDataType};

pub const OPERATORS: &[(&str, Rule)] = &[
    ("Abs", abs),
    ("Acos", |lower| unary(lower, "ELEMENT_WISE_ACOS")),
    ("Acosh", |lower| unary(lower, "ELEMENT_WISE_ACOSH")),
    ("Add", |lower| binary(lower, "ELEMENT_WISE_ADD")),
    ("Asin", |lower| unary(lower, "ELEMENT_WISE_ASIN")),
    ("Asinh", |lower| unary(lower, "ELEMENT_WISE_ASINH")),
    ("Atan", |lower| unary(lower, "ELEMENT_WISE_ATAN")),
    ("Atanh", |lower| unary(lower, "ELEMENT_WISE_ATANH")),
    ("Ceil", |lower| unary(lower, "ELEMENT_WISE_CEIL")),
    ("Clip", clip),
    ("Cos", |lower| unary(lower, "ELEMENT_WISE_COS")),
    ("Cosh", |lower| unary(lower, "ELEMENT_WISE_COSH")),
    ("Div", |lower| binary(lower, "ELEMENT_WISE_DIVIDE")),
    ("Erf", |lower| unary(lower, "ELEMENT_WISE_ERF")),
    ("Exp", |lower| unary(lower, "ELEMENT_WISE_EXP")),
    ("Floor", |lower| unary(lower, "ELEMENT_WISE_FLOOR")),
    ("Log", |lower| unary(lower, "ELEMENT_WISE_LOG")),
    ("Max", |lower| chain(lower, "ELEMENT_WISE_MAX")),
    ("Mean", mean),
    ("Min", |lower| chain(lower, "ELEMENT_WISE_MIN")),
    ("Mod", modulus),
    ("Mul", |lower| binary(lower, "ELEMENT_WISE_MULTIPLY")),
    ("Neg", neg),
    ("Pow", pow),
    ("Reciprocal", |lower| unary(lower, "ELEMENT_WISE_RECIP")),
    ("Round", round),
    ("Sign", |lower| unary(lower, "ELEMENT_WISE_SIGN")),
    ("Sin", |lower| unary(lower, "ELEMENT_WISE_SIN")),
    ("Sinh", |lower| unary(lower, "ELEMENT_WISE_SINH")),
    ("Sqrt", |lower| unary(lower, "ELEMENT_WISE_SQRT")),
    ("Sub", |lower| binary(lower, "ELEMENT_WISE_SUBTRACT")),
    ("Sum", |lower| chain(lower, "ELEMENT_WISE_ADD")),
    ("Tan", |lower| unary(lower, "ELEMENT_WISE_TAN")),
    ("Where", where_),
];

/// Lowers to a DirectML operator with one input and an output of the same type and sizes.
pub fn unary(lower: &mut Lowering, operator: &'static str) -> Views {
    let x = lower.input(0)?;
    Ok(vec![lower.unary(operator, &x)?])
}

/// Returns both inputs of a binary operator. Before version 7, the attribute `axis` may place the second one within the
/// first.
pub fn pair(lower: &mut Lowering) -> Result<[View; 2], LoweringError> {
    let (a, b) = (lower.input(0)?, lower.input(1)?);
    if lower.node.version.attribute("broadcast").is_none() {
        return Ok([a, b]);
    }
    if lower.node.int("broadcast") == 0 {
        return match a.sizes == b.sizes {
            true => Ok([a, b]),
            false => {
                Err(Refusal::invalid(format!("shapes {:?} and {:?} differ, and `broadcast` is 0", a.sizes, b.sizes))
                    .into())
            }
        };
    }
    let suffix = a.rank().saturating_sub(b.rank());
    let at = lower.node.optional_int("axis").map_or(suffix, |axis| usize::try_from(axis).unwrap_or(suffix));
    let b = stretched(&b.placed(at.min(a.rank()), a.rank()), &a.sizes)?;
    Ok([a, b])
}

fn binary(lower: &mut Lowering, operator: &'static str) -> Views {
    let [a, b] = pair(lower)?;
    Ok(vec![lower.binary(operator, [&a, &b], a.data_type)?])
}

/// Lowers Abs. ELEMENT_WISE_ABS does not support unsigned types, so their elements are returned as they are.
fn abs(lower: &mut Lowering) -> Views {
    use TensorDataType::*;
    let x = lower.input(0)?;
    match x.data_type {
        Uint8 | Uint16 | Uint32 | Uint64 => Ok(vec![x]),
        _ => unary(lower, "ELEMENT_WISE_ABS"),
    }
}

fn neg(lower: &mut Lowering) -> Views {
    let x = lower.input(0)?;
    Ok(vec![negated(lower, &x)?])
}

/// Returns the negated elements: by ELEMENT_WISE_NEGATE from level 5_0 on, and by a multiplication with -1 at lower
/// levels. A scale and bias (`0 * -1 + 0`) would lose the sign of zero.
pub fn negated(lower: &mut Lowering, x: &View) -> Result<View, LoweringError> {
    if lower.level() >= FeatureLevel::V5_0 {
        return lower.unary("ELEMENT_WISE_NEGATE", x);
    }
    let factor = lower.constant("-1", x.data_type, scalar(x.data_type, -1.0));
    lower.binary("ELEMENT_WISE_MULTIPLY", [x, &factor], x.data_type)
}

fn round(lower: &mut Lowering) -> Views {
    let x = lower.input(0)?;
    let call = lower.call("ELEMENT_WISE_ROUND").read("InputTensor", &x).write("OutputTensor", x.data_type, &x.sizes);
    Ok(vec![call.set("RoundingMode", "HALVES_TO_NEAREST_EVEN").one()?])
}

/// Returns all inputs, broadcast to their common shape.
fn all(lower: &mut Lowering) -> Result<Vec<View>, LoweringError> {
    let views = (0..lower.inputs()).map(|at| lower.input(at)).collect::<Result<Vec<_>, _>>()?;
    let sizes = broadcast(views.iter().map(|view| view.sizes.as_slice()));
    let sizes = sizes.ok_or_else(|| Refusal::invalid("the shapes of the inputs do not broadcast"))?;
    views.iter().map(|view| stretched(view, &sizes)).collect()
}

/// Combines any number of inputs two at a time; a single input is returned as it is. Before version 8 all inputs have
/// the same shape.
fn chain(lower: &mut Lowering, operator: &'static str) -> Views {
    if lower.since() < 8 {
        let shapes = (0..lower.inputs()).map(|at| Ok(lower.tensor(at)?.map(plumbline_tensor::Tensor::shape)));
        let shapes = shapes.collect::<Result<Vec<_>, LoweringError>>()?;
        if shapes.windows(2).any(|pair| pair[0] != pair[1]) {
            return Err(
                Refusal::invalid(format!("the inputs have the shapes {shapes:?}, expected equal shapes")).into()
            );
        }
    }
    let views = all(lower)?;
    let (first, rest) = views.split_first().ok_or_else(|| Refusal::invalid("the node has no inputs"))?;
    let folded = rest.iter().try_fold(first.clone(), |a, b| lower.binary(operator, [&a, b], a.data_type))?;
    Ok(vec![folded])
}

/// Lowers Mean. ELEMENT_WISE_MEAN takes two inputs; the sum of more inputs is divided by their number. ONNX Runtime
/// multiplies that sum by the inverse of the number.
fn mean(lower: &mut Lowering) -> Views {
    match lower.inputs() {
        0 | 1 => return chain(lower, "ELEMENT_WISE_ADD"),
        2 => return chain(lower, "ELEMENT_WISE_MEAN"),
        _ => {}
    }
    let count = lower.inputs() as f64;
    let sum = chain(lower, "ELEMENT_WISE_ADD")?.remove(0);
    if lower.is_onnx_runtime() {
        let call = lower.call("ELEMENT_WISE_IDENTITY").read("InputTensor", &sum);
        let inverse = ScaleBias { scale: 1.0 / count as f32, bias: 0.0 };
        let call = call.write("OutputTensor", sum.data_type, &sum.sizes).set("ScaleBias", inverse);
        return Ok(vec![call.one()?]);
    }
    let count = lower.constant("count", sum.data_type, scalar(sum.data_type, count));
    Ok(vec![lower.binary("ELEMENT_WISE_DIVIDE", [&sum, &count], sum.data_type)?])
}

fn modulus(lower: &mut Lowering) -> Views {
    let (fmod, floats) = (lower.node.int("fmod"), is_float(lower.input(0)?.data_type));
    if lower.since() < 28 && fmod != 1 && floats {
        return Err(Refusal::invalid(format!("`fmod` is {fmod}, expected 1 for floating-point types")).into());
    }
    match fmod {
        0 => binary(lower, "ELEMENT_WISE_MODULUS_FLOOR"),
        _ => binary(lower, "ELEMENT_WISE_MODULUS_TRUNCATE"),
    }
}

/// Lowers Pow. The exponent keeps its type; ONNX Runtime converts a constant exponent with one element to float.
fn pow(lower: &mut Lowering) -> Views {
    let [x, y] = pair(lower)?;
    if lower.is_onnx_runtime() && lower.is_constant(1) && y.count() == 1 {
        let tensor = lower.known(1)?.ok_or_else(|| Refusal::invalid("input 1, the exponent, is missing"))?;
        let call = lower.call("ELEMENT_WISE_CONSTANT_POW").read("InputTensor", &x);
        let call = call.write("OutputTensor", x.data_type, &x.sizes).set("Exponent", tensor.f64_at(0));
        return Ok(vec![call.one()?]);
    }
    if lower.level() < FeatureLevel::V3_0 && x.data_type != y.data_type {
        let message = format!("is {}, but must be {} before feature level 3_0", y.data_type, x.data_type);
        return Err(Unsupported::value("ELEMENT_WISE_POW.ExponentTensor", message).into());
    }
    let sizes = broadcast([x.sizes.as_slice(), &y.sizes])
        .ok_or_else(|| Refusal::invalid("the shapes of the inputs do not broadcast"))?;
    let (base, exponent) = (stretched(&x, &sizes)?, stretched(&y, &sizes)?);
    let call = lower.call("ELEMENT_WISE_POW").read("InputTensor", &base).read("ExponentTensor", &exponent);
    Ok(vec![call.write("OutputTensor", x.data_type, &sizes).one()?])
}

/// Lowers Clip. Up to version 6 the bounds are attributes, and version 6 has finite defaults; from version 11 on they
/// are tensors, which are read when the graph is made. In all versions except 6, a missing bound does not limit
/// anything, infinities included; ONNX Runtime gives ELEMENT_WISE_CLIP1 the largest finite number.
fn clip(lower: &mut Lowering) -> Views {
    let x = lower.input(0)?;
    if lower.since() < 11 {
        let bound = |name: &str, none: f32| lower.node.optional_float(name).unwrap_or(none);
        let (min, max) = (bound("min", f32::NEG_INFINITY), bound("max", f32::INFINITY));
        let call = lower.call("ELEMENT_WISE_CLIP").read("InputTensor", &x).set("Min", min).set("Max", max);
        return Ok(vec![call.write("OutputTensor", x.data_type, &x.sizes).one()?]);
    }
    let bounds = [lower.known(1)?, lower.known(2)?];
    let value = |at: usize| {
        bounds[at].map(|bound| if bound.dtype().is_float() { bound.f64_at(0) } else { bound.i128_at(0) as f64 })
    };
    let not_ascending =
        value(0).zip(value(1)).is_some_and(|(min, max)| min.partial_cmp(&max) != Some(std::cmp::Ordering::Less));
    if lower.level() < FeatureLevel::V5_0 || not_ascending {
        let mut clipped = x;
        for (at, operator) in [(1, "ELEMENT_WISE_MAX"), (2, "ELEMENT_WISE_MIN")] {
            if let Some(bound) = lower.optional(at)? {
                clipped = lower.binary(operator, [&clipped, &bound], clipped.data_type)?;
            }
        }
        return Ok(vec![clipped]);
    }
    let finite = lower.is_onnx_runtime();
    let bound = |at: usize, none: Scalar| bounds[at].map_or(none, |bound| element(bound, 0));
    let [lowest, highest] = widest(x.data_type, finite);
    let call = lower.call("ELEMENT_WISE_CLIP1").read("InputTensor", &x).set("MinMaxDataType", x.data_type);
    let call = call.set("Min", bound(0, lowest)).set("Max", bound(1, highest));
    Ok(vec![call.write("OutputTensor", x.data_type, &x.sizes).one()?])
}

/// Returns the widest bounds of a type, with infinities or, if `finite`, without.
fn widest(data_type: TensorDataType, finite: bool) -> [Scalar; 2] {
    use TensorDataType::*;
    let float = match data_type {
        _ if !finite => f64::INFINITY,
        Float16 => 65504.0,
        Float32 => f64::from(f32::MAX),
        _ => f64::MAX,
    };
    match data_type {
        Int64 => [i64::MIN.into(), i64::MAX.into()],
        Uint64 => [0u64.into(), u64::MAX.into()],
        Int8 => [i8::MIN.into(), i8::MAX.into()],
        Int16 => [i16::MIN.into(), i16::MAX.into()],
        Int32 => [i32::MIN.into(), i32::MAX.into()],
        Uint8 => [0u8.into(), u8::MAX.into()],
        Uint16 => [0u16.into(), u16::MAX.into()],
        Uint32 => [0u32.into(), u32::MAX.into()],
        _ => [scalar(data_type, -float), scalar(data_type, float)],
    }
}

fn where_(lower: &mut Lowering) -> Views {
    let views = all(lower)?;
    let [condition, x, y] = views.as_slice() else {
        return Err(Refusal::invalid("the node has fewer or more than 3 inputs").into());
    };
    let call = lower.call("ELEMENT_WISE_IF").read("ConditionTensor", condition).read("ATensor", x);
    Ok(vec![call.read("BTensor", y).write("OutputTensor", x.data_type, &x.sizes).one()?])
}

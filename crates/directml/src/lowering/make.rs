//! Lowers operators that create tensors from numbers: BlackmanWindow, HammingWindow, HannWindow, ConstantOfShape,
//! EyeLike and Range.

use super::context::{Lowering, carried, element, scalar, sizes_from};
use super::{Rule, Views};
use crate::Scalar;
use plumbline_graph::Refusal;
use plumbline_spec::directml::TensorDataType::Float32;
use plumbline_tensor::{DType, tensor_from_proto};

pub const OPERATORS: &[(&str, Rule)] = &[
    ("BlackmanWindow", |lower| cosines(lower, [0.42, 0.5, 0.08])),
    ("ConstantOfShape", constant_of_shape),
    ("EyeLike", eye_like),
    ("HammingWindow", |lower| cosines(lower, [25.0 / 46.0, 21.0 / 46.0, 0.0])),
    ("HannWindow", |lower| cosines(lower, [0.5, 0.5, 0.0])),
    ("Range", range),
];

/// Computes `a0 - a1 cos(angle) + a2 cos(2 angle)` in float32. A periodic window divides the circle into as many parts
/// as it has elements, and a symmetric window into one part fewer.
fn cosines(lower: &mut Lowering, [a0, a1, a2]: [f64; 3]) -> Views {
    let size = lower.integers(0)?.and_then(|size| size.first().copied()).filter(|&size| size > 0);
    let size = size.ok_or_else(|| Refusal::invalid("`size` must be positive"))?;
    let asked = DType::from_code(lower.node.int("output_datatype"));
    let to = carried(
        "output",
        asked.ok_or_else(|| Refusal::invalid("`output_datatype` is not the code of an element type"))?,
    )?;
    let parts = if lower.node.int("periodic") != 0 { size } else { size - 1 };
    let call = lower.call("FILL_VALUE_SEQUENCE").set("ValueDataType", Float32).set("ValueStart", Scalar::from(0.0f32));
    let call = call.set("ValueDelta", Scalar::from(1.0f32));
    let places = call.write("OutputTensor", Float32, &sizes_from("output", &[size])?).one()?;
    let angle = lower.with_number("ELEMENT_WISE_MULTIPLY", &places, std::f64::consts::TAU)?;
    let angle = lower.with_number("ELEMENT_WISE_DIVIDE", &angle, parts as f64)?;
    let mut sum = None;
    for (times, factor) in [(1.0, -a1), (2.0, a2)].into_iter().filter(|(_, factor)| *factor != 0.0) {
        let angle =
            if times == 1.0 { angle.clone() } else { lower.with_number("ELEMENT_WISE_MULTIPLY", &angle, times)? };
        let cosine = lower.unary("ELEMENT_WISE_COS", &angle)?;
        let term = lower.with_number("ELEMENT_WISE_MULTIPLY", &cosine, factor)?;
        sum = Some(match sum {
            None => lower.with_number("ELEMENT_WISE_ADD", &term, a0)?,
            Some(sum) => lower.binary("ELEMENT_WISE_ADD", [&sum, &term], Float32)?,
        });
    }
    let sum = sum.ok_or_else(|| Refusal::failed("all coefficients of the window are 0"))?;
    Ok(vec![lower.cast(&sum, to)?])
}

fn constant_of_shape(lower: &mut Lowering) -> Views {
    let sizes = sizes_from("output", &lower.integers(0)?.unwrap_or_default())?;
    let given = lower.node.given("value").and_then(|attribute| attribute.t.as_ref());
    let given = given.map(tensor_from_proto).transpose().map_err(|error| Refusal::invalid(error.to_string()))?;
    let data_type = carried("output", given.as_ref().map_or(DType::Float, plumbline_tensor::Tensor::dtype))?;
    let value = given.map_or(scalar(data_type, 0.0), |given| element(&given, 0));
    let call = lower.call("FILL_VALUE_CONSTANT").set("ValueDataType", data_type).set("Value", value);
    Ok(vec![call.write("OutputTensor", data_type, &sizes).one()?])
}

/// Lowers EyeLike. The input gives the shape, and also the type unless `dtype` asks for another one.
fn eye_like(lower: &mut Lowering) -> Views {
    let like = lower.tensor(0)?.ok_or_else(|| Refusal::invalid("input 0 is missing"))?;
    let asked = lower.node.optional_int("dtype").and_then(|code| DType::from_code(i32::try_from(code).ok()?));
    let data_type = carried("output", asked.unwrap_or_else(|| like.dtype()))?;
    let sizes = sizes_from("output", &like.shape().iter().map(|&extent| extent as i64).collect::<Vec<_>>())?;
    let offset = lower.node.int("k").clamp(i32::MIN.into(), i32::MAX.into());
    let call = lower.call("DIAGONAL_MATRIX").write("OutputTensor", data_type, &sizes).keep(0..sizes.len());
    Ok(vec![call.set("Offset", offset).set("Value", 1).one()?])
}

fn range(lower: &mut Lowering) -> Views {
    let missing = || Refusal::invalid("one of `start`, `limit` and `delta` is missing");
    let bound = |at: usize| Ok::<_, super::LoweringError>(lower.known(at)?.ok_or_else(missing)?);
    let [start, limit, delta] = [bound(0)?, bound(1)?, bound(2)?];
    let count = match start.dtype().is_float() {
        true => ((limit.f64_at(0) - start.f64_at(0)) / delta.f64_at(0)).ceil() as i64,
        false => match delta.i128_at(0) {
            0 => return Err(Refusal::invalid("`delta` must not be 0").into()),
            delta => {
                let (span, step) = (limit.i128_at(0) - start.i128_at(0), delta.abs());
                let span = if delta < 0 { -span } else { span };
                i64::try_from((span + step - 1).div_euclid(step)).unwrap_or(i64::MAX)
            }
        },
    };
    let data_type = carried("start", start.dtype())?;
    let call = lower.call("FILL_VALUE_SEQUENCE").set("ValueDataType", data_type).set("ValueStart", element(start, 0));
    let call = call.set("ValueDelta", element(delta, 0));
    Ok(vec![call.write("OutputTensor", data_type, &sizes_from("output", &[count.max(0)])?).one()?])
}

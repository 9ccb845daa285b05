//! Tensors from nothing but numbers: ConstantOfShape, EyeLike, Range.

use super::context::{Lowering, carried, element, scalar, sizes_from};
use super::{Rule, Views};
use crate::refusal::Refusal;
use plumbline_tensor::{DType, tensor_from_proto};

pub const OPERATORS: &[(&str, Rule)] =
    &[("ConstantOfShape", constant_of_shape), ("EyeLike", eye_like), ("Range", range)];

fn constant_of_shape(lower: &mut Lowering) -> Views {
    let sizes = sizes_from("output", &lower.integers(0)?.unwrap_or_default())?;
    let given = lower.node.given("value").and_then(|attribute| attribute.t.as_ref());
    let given = given.map(tensor_from_proto).transpose().map_err(|error| Refusal::invalid(error.to_string()))?;
    let data_type = carried("output", given.as_ref().map_or(DType::Float, plumbline_tensor::Tensor::dtype))?;
    let value = given.map_or(scalar(data_type, 0.0), |given| element(&given, 0));
    let call = lower.call("FILL_VALUE_CONSTANT").set("ValueDataType", data_type).set("Value", value);
    Ok(vec![call.write("OutputTensor", data_type, &sizes).one()?])
}

/// EyeLike: the input gives its shape, and its type where no other is asked for.
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
    let missing = || Refusal::invalid("an input is missing");
    let bound = |at: usize| Ok::<_, super::LoweringError>(lower.known(at)?.ok_or_else(missing)?);
    let [start, limit, delta] = [bound(0)?, bound(1)?, bound(2)?];
    let count = match start.dtype().is_float() {
        true => ((limit.f64_at(0) - start.f64_at(0)) / delta.f64_at(0)).ceil() as i64,
        false => match delta.i128_at(0) {
            0 => return Err(Refusal::invalid("`delta` is 0").into()),
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

use crate::prelude::*;
use plumbline_tensor::onnx::AttributeProto;
use plumbline_tensor::sparse_tensor_from_proto;

/// Returns the tensor that an attribute holds.
///
/// Up to version 9 the attribute is `value`. Version 11 adds `sparse_value`, which becomes dense (`sparse-value`); from
/// version 12 on, there is also one attribute per scalar or list type (`value_*`). Exactly one attribute is given
/// (`one-attribute-given`), and its type belongs to the version (`value-type-allowed`).
pub fn constant(call: &Call) -> Answer {
    let [attribute] = &call.node().attribute[..] else {
        return Err(Refusal::violates(
            rule::ONE_ATTRIBUTE_GIVEN,
            format!("{} attributes are given, expected one", call.node().attribute.len()),
        ));
    };
    let tensor = value(call, attribute)?;
    let allowed = call.version().types.get("T");
    let known = |t: &plumbline_spec::TypeStr| *t == plumbline_spec::TypeStr::Tensor(tensor.dtype());
    if allowed.is_some_and(|types| !types.iter().any(known)) {
        return Err(Refusal::violates(
            rule::VALUE_TYPE_ALLOWED,
            format!("the value has type {}, which this version does not have", tensor.dtype()),
        ));
    }
    one(tensor.into())
}

fn value(call: &Call, attribute: &AttributeProto) -> Result<Tensor, Refusal> {
    let name = attribute.name.as_deref().unwrap_or("");
    Ok(match name {
        "sparse_value" => sparse(attribute)?,
        "value_int" => Tensor::from_i64(attribute.i.unwrap_or(0)),
        "value_ints" => Tensor::from_i64s(&attribute.ints),
        "value_float" => Tensor::from_f32s(vec![], &[attribute.f.unwrap_or(0.0)])?,
        "value_floats" => Tensor::from_f32s(vec![attribute.floats.len()], &attribute.floats)?,
        "value_string" => Tensor::from_strings(vec![], vec![attribute.s.clone().unwrap_or_default()])?,
        "value_strings" => Tensor::from_strings(vec![attribute.strings.len()], attribute.strings.clone())?,
        _ => call
            .optional_tensor_attribute(name)?
            .ok_or_else(|| Refusal::invalid(format!("attribute `{name}` has no tensor")))?,
    })
}

fn sparse(attribute: &AttributeProto) -> Result<Tensor, Refusal> {
    let proto = attribute.sparse_tensor.as_ref();
    let proto = proto.ok_or_else(|| Refusal::invalid("attribute `sparse_value` has no sparse tensor"))?;
    let sparse =
        sparse_tensor_from_proto(proto).map_err(|e| Refusal::violates(rule::SPARSE_VALUE_VALID, e.to_string()))?;
    let count = shape::affordable(sparse.shape())?;
    let all_listed = count == sparse.values().len();
    if sparse.dtype() == DType::Float8e8m0 && !all_listed {
        return Err(Refusal::leaves_open(
            rule::SPARSE_FLOAT8E8M0,
            "float8e8m0 has no zero for the elements that the sparse tensor does not list",
        ));
    }
    sparse.to_dense().map_err(|e| Refusal::violates(rule::SPARSE_VALUE_VALID, e.to_string()))
}

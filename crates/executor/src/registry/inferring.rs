//! What a tool that infers the types and shapes of values says about a model, beside the values that it has.

use std::collections::BTreeMap;

use plumbline_tensor::onnx::{
    TensorShapeProtoDimension, TensorShapeProtoDimensionValue, TypeProto, TypeProtoValue, ValueInfoProto,
};
use plumbline_tensor::{Model, Tensor, Value, ValueKind, element_count};

use crate::Refusal;

/// The largest number of elements of a tensor that stands for an inferred shape.
const MOST: usize = 1 << 20;

/// Returns the model with each value of its main graph as an output, after its own ones, and without the types and shapes
/// that it declares for anything but its inputs: a tool has to infer them.
pub(super) fn without_types(model: &Model) -> Model {
    let mut made = model.clone();
    let Some(graph) = made.proto.graph.as_mut() else { return made };
    graph.value_info.clear();
    graph.output.iter_mut().for_each(|info| info.r#type = None);
    let given: Vec<&str> = graph.output.iter().chain(&graph.input).map(ValueInfoProto::name).collect();
    let inner = graph.node.iter().flat_map(|node| &node.output);
    let inner = inner.filter(|name| !name.is_empty() && !given.contains(&name.as_str()));
    let inner: Vec<ValueInfoProto> =
        inner.map(|name| ValueInfoProto { name: Some(name.clone()), ..Default::default() }).collect();
    graph.output.extend(inner);
    made
}

/// Returns the first values, as many as `outputs`, with a tensor of zeros for each one whose inferred type or shape is
/// another one. An error says that about a further value. `values` are those of the outputs of [`without_types`], `inputs`
/// those of the model's inputs.
///
/// Names of extents that inputs have stand for the extents of these inputs.
pub(super) fn as_inferred(
    inferred: &Model,
    inputs: &[Value],
    values: Vec<Value>,
    outputs: usize,
) -> Result<Vec<Value>, Refusal> {
    let graph = inferred.graph();
    let names = named_extents(inferred, inputs);
    let infos = || graph.output.iter().chain(&graph.value_info);
    let of = |name: &str| infos().find(|info| info.name() == name && info.r#type.is_some());
    let mut found = Vec::with_capacity(outputs);
    for (place, (name, value)) in inferred.output_names().into_iter().zip(values).enumerate() {
        let type_ = of(name).and_then(|info| info.r#type.as_ref());
        let other = type_.map_or(Ok(None), |type_| contradiction(name, type_, &names, &value))?;
        match (place < outputs, other) {
            (true, other) => found.push(other.unwrap_or(value)),
            (false, None) => {}
            (false, Some(other)) => {
                let (other, value) = (describe(&other), describe(&value));
                let message = format!("the tool infers {other} for `{name}`, which is {value}");
                return Err(Refusal::breaks_model(message));
            }
        }
    }
    Ok(found)
}

/// Writes the type of a value, and the shape of a tensor.
fn describe(value: &Value) -> String {
    match value.as_tensor() {
        Some(tensor) => format!("{} {:?}", value.kind(), tensor.shape()),
        None => value.kind().to_string(),
    }
}

/// Returns a value of the inferred type and shape if the value cannot have them.
fn contradiction(
    name: &str,
    type_: &TypeProto,
    names: &BTreeMap<&str, i64>,
    value: &Value,
) -> Result<Option<Value>, Refusal> {
    let wrong = |found: String, value: String| {
        Err(Refusal::breaks_model(format!("the tool infers {found} for `{name}`, which is {value}")))
    };
    let kind = ValueKind::from_proto(type_);
    let (tensor, dtype) = match (value.as_tensor(), kind) {
        (_, None) => return Ok(None),
        (Some(tensor), Some(ValueKind::Tensor(dtype))) => (tensor, dtype),
        (_, Some(kind)) if kind == value.kind() => return Ok(None),
        (_, Some(kind)) => return wrong(kind.to_string(), value.kind().to_string()),
    };
    let shape = tensor.shape();
    let extents = extents_of(type_, names).unwrap_or_else(|| vec![None; shape.len()]);
    if dtype == tensor.dtype() && agree(&extents, shape) {
        return Ok(None);
    }
    // Where the tool says nothing, the extent is the right one.
    let right = |axis: usize| if extents.len() == shape.len() { shape[axis] } else { 1 };
    let whole = extents.iter().enumerate().map(|(axis, extent)| match extent {
        Some(extent) => usize::try_from(*extent).ok(),
        None => Some(right(axis)),
    });
    let whole = whole.collect::<Option<Vec<usize>>>();
    let whole = whole.filter(|shape| element_count(shape).is_some_and(|count| count <= MOST));
    match whole.and_then(|shape| Tensor::zeros(dtype, shape).ok()) {
        Some(tensor) => Ok(Some(Value::Tensor(tensor))),
        None => wrong(shape_text(&extents), format!("{shape:?}")),
    }
}

/// Returns the extents that inputs of a model have, by the names that the model declares for them. A name with two
/// extents means nothing.
fn named_extents<'a>(model: &'a Model, inputs: &[Value]) -> BTreeMap<&'a str, i64> {
    let graph = model.graph();
    let mut found: BTreeMap<&str, Option<i64>> = BTreeMap::new();
    for (name, value) in model.input_names().iter().zip(inputs) {
        let type_ = graph.input.iter().find(|info| info.name() == *name).and_then(|info| info.r#type.as_ref());
        let (Some(dims), Some(tensor)) = (type_.and_then(dims_of), value.as_tensor()) else { continue };
        for (dim, extent) in dims.iter().zip(tensor.shape()) {
            let Some(TensorShapeProtoDimensionValue::DimParam(name)) = &dim.value else { continue };
            let extent = i64::try_from(*extent).ok();
            let known = found.entry(name).or_insert(extent);
            *known = known.filter(|known| Some(*known) == extent);
        }
    }
    found.into_iter().filter_map(|(name, extent)| Some((name, extent?))).collect()
}

fn dims_of(type_: &TypeProto) -> Option<&[TensorShapeProtoDimension]> {
    let Some(TypeProtoValue::TensorType(tensor)) = type_.value.as_ref() else { return None };
    Some(&tensor.shape.as_ref()?.dim)
}

/// Returns the extents that a type declares as numbers or by one of these names, with `None` for others.
pub(super) fn extents_of(type_: &TypeProto, names: &BTreeMap<&str, i64>) -> Option<Vec<Option<i64>>> {
    let extent = |dim: &TensorShapeProtoDimension| match &dim.value {
        Some(TensorShapeProtoDimensionValue::DimValue(extent)) => Some(*extent),
        Some(TensorShapeProtoDimensionValue::DimParam(name)) => names.get(name.as_str()).copied(),
        None => None,
    };
    Some(dims_of(type_)?.iter().map(extent).collect())
}

/// Returns whether a shape may have these extents.
pub(super) fn agree(extents: &[Option<i64>], shape: &[usize]) -> bool {
    let fits =
        |(extent, found): (&Option<i64>, &usize)| extent.is_none_or(|extent| i64::try_from(*found) == Ok(extent));
    extents.len() == shape.len() && extents.iter().zip(shape).all(fits)
}

/// Writes extents, with `?` for those that are not known.
pub(super) fn shape_text(extents: &[Option<i64>]) -> String {
    let texts = extents.iter().map(|extent| extent.map_or("?".to_owned(), |extent| extent.to_string()));
    format!("the shape [{}]", texts.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use plumbline_tensor::DType;

    use super::*;

    fn model(text: &str) -> Model {
        format!("<ir_version: 8, opset_import: [\"\" : 18]> g {text}").parse().unwrap()
    }

    #[test]
    fn a_tool_gets_no_types_but_those_of_inputs() {
        let made = without_types(&model("(float[n] a) => (float[n] c) <float[n] b> { b = Neg (a) c = Neg (b) }"));
        assert_eq!(made.output_names(), ["c", "b"]);
        let graph = made.graph();
        assert!(graph.value_info.is_empty() && graph.output.iter().all(|info| info.r#type.is_none()));
        assert!(graph.input[0].r#type.is_some());
    }

    #[test]
    fn what_is_inferred_has_to_be_what_a_value_is() {
        let value = || vec![Value::Tensor(Tensor::from_f32s(vec![2, 3], &[1.0; 6]).unwrap())];
        let inferred = |output: &str| {
            let text = format!("(float[n,m] a) => ({output}) {{ c = Neg (a) }}");
            match as_inferred(&model(&text), &value(), value(), 1) {
                Ok(values) => values[0].as_tensor().map(|c| (c.dtype(), c.shape().to_vec())).ok_or(String::new()),
                Err(refusal) => Err(refusal.message),
            }
        };
        for right in ["float[] c", "float[2,3] c", "float[n,m] c", "float[n,3] c", "float[x,y] c"] {
            let text = format!("(float[n,m] a) => ({right}) {{ c = Neg (a) }}");
            assert_eq!(as_inferred(&model(&text), &value(), value(), 1), Ok(value()), "{right}");
        }
        assert_eq!(inferred("float[m,n] c"), Ok((DType::Float, vec![3, 2])));
        assert_eq!(inferred("float[x,4] c"), Ok((DType::Float, vec![2, 4])));
        assert_eq!(inferred("float[2] c"), Ok((DType::Float, vec![2])));
        assert_eq!(inferred("float[2,x,m] c"), Ok((DType::Float, vec![2, 1, 3])));
        assert_eq!(inferred("double[2,3] c"), Ok((DType::Double, vec![2, 3])));
        let huge = "the tool infers the shape [2, 9000000000] for `c`, which is [2, 3]";
        assert_eq!(inferred("float[2,9000000000] c"), Err(huge.to_owned()));
        let text = "(float[n,m] a) => (float[2,3] c, float[3] d) { c = Neg (a) d = Neg (c) }";
        let inner = as_inferred(&model(text), &value(), [value(), value()].concat(), 1).unwrap_err().message;
        assert_eq!(inner, "the tool infers tensor(float) [3] for `d`, which is tensor(float) [2, 3]");
        let sequence = "the tool infers seq(tensor(float)) for `c`, which is tensor(float)";
        assert_eq!(inferred("seq(float[2,3]) c"), Err(sequence.to_owned()));
    }
}

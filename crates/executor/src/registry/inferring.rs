//! What a tool that infers the types and shapes of values says about a model, beside the values that it has.

use std::collections::BTreeMap;

use plumbline_tensor::onnx::{
    TensorShapeProtoDimension, TensorShapeProtoDimensionValue, TypeProto, TypeProtoValue, ValueInfoProto,
};
use plumbline_tensor::{Model, Tensor, Value, ValueKind, element_count};

use crate::{Observation, OracleBackend, Refusal, observe};

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

/// Returns whether the model leaves the rank or an extent of an input open, or has a name for it. It does so for each
/// input that is no tensor.
fn has_open_extents(model: &Model) -> bool {
    let is_number =
        |dim: &TensorShapeProtoDimension| matches!(dim.value, Some(TensorShapeProtoDimensionValue::DimValue(_)));
    let mut types = model.graph().input.iter().filter_map(|info| info.r#type.as_ref());
    types.any(|type_| dims_of(type_).is_none_or(|dims| !dims.iter().all(is_number)))
}

/// Returns a tensor with the same type and shape whose elements are 0. Other values stay as they are.
fn zeros(value: &Value) -> Value {
    let zeros = value.as_tensor().and_then(|tensor| Tensor::zeros(tensor.dtype(), tensor.shape().to_vec()).ok());
    zeros.map_or_else(|| value.clone(), Value::Tensor)
}

/// Returns a tensor with the same elements in the reverse order. Other values stay as they are, and so do tensors of
/// strings and of complex numbers.
fn reversed(value: &Value) -> Value {
    let reversed = value.as_tensor().filter(|tensor| (1..=8).contains(&tensor.dtype().size())).and_then(|tensor| {
        let bits = (0..tensor.len()).rev().map(|index| tensor.bits_at(index));
        Tensor::from_bits(tensor.dtype(), tensor.shape().to_vec(), bits).ok()
    });
    reversed.map_or_else(|| value.clone(), Value::Tensor)
}

/// Returns, for each output, which of its extents do not depend on the values of the inputs. They are those that stay when
/// all elements become 0 and when the elements are in the reverse order; none, if the oracle refuses one of these inputs,
/// if an input has only zeros already, or if the model has names for extents of its inputs.
pub(super) fn fixed_extents(
    oracle: &OracleBackend,
    model: &Model,
    inputs: &[Value],
    values: &[Value],
) -> Vec<Vec<bool>> {
    let shape = |value: &Value| value.as_tensor().map(|tensor| tensor.shape().to_vec()).unwrap_or_default();
    let fixed = |is_fixed: bool| values.iter().map(|value| vec![is_fixed; shape(value).len()]).collect();
    let is_empty = |value: &Value| value.as_tensor().is_none_or(Tensor::is_empty);
    if has_open_extents(model) || inputs.iter().any(|value| !is_empty(value) && zeros(value) == *value) {
        return fixed(false);
    }
    let mut all: Vec<Vec<bool>> = fixed(true);
    for change in [zeros, reversed] {
        let changed: Vec<Value> = inputs.iter().map(change).collect();
        let Observation::Outputs { values: others, .. } = observe(oracle, model, &changed) else {
            return fixed(false);
        };
        for ((fixed, value), other) in all.iter_mut().zip(values).zip(&others) {
            let (here, there) = (shape(value), shape(other));
            let stays = |axis: usize| here.len() == there.len() && here[axis] == there[axis];
            fixed.iter_mut().enumerate().for_each(|(axis, fixed)| *fixed &= stays(axis));
        }
    }
    all
}

/// Says what a tool does not infer of the values, first of all types, then ranks, then extents. A rank counts only if the
/// extents of all inputs are known, and an extent only if it is `fixed`. `None` if nothing is left out.
pub(super) fn left_out(inferred: &Model, values: &[Value], fixed: &[Vec<bool>]) -> Option<Refusal> {
    let graph = inferred.graph();
    let infos = || graph.output.iter().chain(&graph.value_info);
    let (mut types, mut ranks, mut extents) = (vec![], vec![], vec![]);
    for ((name, value), fixed) in inferred.output_names().into_iter().zip(values).zip(fixed) {
        let Some(tensor) = value.as_tensor() else { continue };
        let type_ = infos().find(|info| info.name() == name && info.r#type.is_some());
        let Some(type_) = type_.and_then(|info| info.r#type.as_ref()).filter(|type_| type_.value.is_some()) else {
            types.push(format!("no type of `{name}`, which is {}", value.kind()));
            continue;
        };
        let Some(dims) = dims_of(type_) else {
            ranks.push(format!("no rank of `{name}`, which is {}", tensor.rank()));
            continue;
        };
        for (axis, (dim, extent)) in dims.iter().zip(tensor.shape()).enumerate() {
            let is_number = matches!(dim.value, Some(TensorShapeProtoDimensionValue::DimValue(_)));
            if fixed.get(axis) == Some(&true) && !is_number {
                extents.push(format!("no extent {axis} of `{name}`, which is {extent}"));
            }
        }
    }
    if has_open_extents(inferred) {
        ranks.clear();
    }
    let first = types.into_iter().chain(ranks).chain(extents).next()?;
    Some(Refusal::not_inferred(format!("the tool infers {first}")))
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
    fn what_is_left_out_counts_where_it_could_be_inferred() {
        let values = [Value::Tensor(Tensor::from_f32s(vec![2, 3], &[1.0; 6]).unwrap())];
        let left_out = |output: &str, fixed: [bool; 2]| {
            let made = model(&format!("(float[2,3] a) => ({output}) {{ c = Neg (a) }}"));
            super::left_out(&made, &values, &[fixed.to_vec()]).map(|refusal| refusal.message)
        };
        let said = |what: &str| Some(format!("the tool infers no {what}"));
        let untyped = without_types(&model("(float[2,3] a) => (float[2,3] c) { c = Neg (a) }"));
        let untyped = super::left_out(&untyped, &values, &[vec![true; 2]]).map(|refusal| refusal.message);
        assert_eq!(untyped, said("type of `c`, which is tensor(float)"));
        assert_eq!(left_out("float[] c", [true; 2]), said("rank of `c`, which is 2"));
        assert_eq!(left_out("float[2,unk__0] c", [true; 2]), said("extent 1 of `c`, which is 3"));
        assert_eq!(left_out("float[2,unk__0] c", [true, false]), None);
        assert_eq!(left_out("float[2,3] c", [true; 2]), None);
        assert!(has_open_extents(&model("(float[n,3] a) => (float[2,3] c) { c = Neg (a) }")));
        assert!(!has_open_extents(&model("(float[2,3] a) => (float[2,3] c) { c = Neg (a) }")));
        assert!(has_open_extents(&model("(seq(float[2,3]) a, int64 i) => (float[2,3] c) { c = SequenceAt (a, i) }")));
    }

    #[test]
    fn extents_that_depend_on_values_are_not_fixed() {
        let fixed = |text: &str, values: &[f32]| {
            let inputs = [Value::Tensor(Tensor::from_f32s(vec![2, 3], values).unwrap())];
            let (made, oracle) = (model(text), OracleBackend::default());
            let Observation::Outputs { values, .. } = observe(&oracle, &made, &inputs) else { panic!() };
            fixed_extents(&oracle, &made, &inputs, &values)
        };
        let values = [1.0, 0.0, 2.0, 3.0, 0.0, 5.0];
        assert_eq!(fixed("(float[2,3] a) => (int64[2,n] c) { c = NonZero (a) }", &values), [[true, false]]);
        assert_eq!(fixed("(float[2,3] a) => (float[3,2] c) { c = Transpose (a) }", &values), [[true, true]]);
        assert_eq!(fixed("(float[2,3] a) => (float[3,2] c) { c = Transpose (a) }", &[0.0; 6]), [[false, false]]);
        assert_eq!(fixed("(float[2,n] a) => (float[n,2] c) { c = Transpose (a) }", &values), [[false, false]]);
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

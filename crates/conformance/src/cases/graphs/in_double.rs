//! Makes a model compute in double: what its nodes are without the roundings of narrower types between them.

use std::collections::HashMap;

use plumbline_spec::AttributeKind;
use plumbline_tensor::onnx::{AttributeProto, GraphProto, NodeProto, TensorProto, TypeProto, TypeProtoValue};
use plumbline_tensor::{DType, Tensor, Value, tensor_from_proto, tensor_to_proto};

use super::sketch::{Drawn, Sketch};
use crate::cases::proto::{self, int};

/// Operators that take no double, or whose result depends on the type of their operand. They get operands that are rounded
/// to their types.
const OF_NARROW_TYPES: [&str; 8] = [
    "QuantizeLinear",
    "DequantizeLinear",
    "DynamicQuantizeLinear",
    "QLinearMatMul",
    "QLinearConv",
    "RotaryEmbedding",
    "LinearAttention",
    "Range",
];
pub(super) fn is_narrow(dtype: DType) -> bool {
    matches!(dtype, DType::Float | DType::Float16 | DType::Bfloat16)
}

fn widened(tensor: &Tensor) -> Tensor {
    if !is_narrow(tensor.dtype()) {
        return tensor.clone();
    }
    Tensor::from_f64s(DType::Double, tensor.shape().to_vec(), &tensor.to_f64s()).expect("the shape is the same")
}

fn widen_proto(proto: &mut TensorProto) {
    let tensor = tensor_from_proto(proto).expect("constants of drawn graphs are valid");
    *proto = tensor_to_proto(&widened(&tensor), proto.name.as_deref().unwrap_or_default());
}

fn widen_type(type_: &mut Option<TypeProto>) {
    if let Some(TypeProtoValue::TensorType(tensor)) = type_.as_mut().and_then(|type_| type_.value.as_mut())
        && tensor.elem_type.and_then(DType::from_code).is_some_and(is_narrow)
    {
        tensor.elem_type = Some(DType::Double.code());
    }
}

fn cast(from: &str, to: &str, dtype: DType) -> NodeProto {
    NodeProto {
        op_type: Some("Cast".to_owned()),
        input: vec![from.to_owned()],
        output: vec![to.to_owned()],
        attribute: vec![int("to", i64::from(dtype.code()))],
        ..NodeProto::default()
    }
}

/// Returns the graph and its inputs with double in the place of the narrower types. A `Cast` to a narrower type still
/// rounds to it.
///
/// # Errors
/// Names an operator for which this is not possible.
pub(super) fn in_double(sketch: &Sketch, drawn: &Drawn) -> Result<Drawn, String> {
    let mut types = HashMap::new();
    for known in &sketch.values {
        types.extend(known.tensor().map(|tensor| (known.name.clone(), tensor.dtype())));
    }
    let mut model = drawn.model.clone();
    if let Some(graph) = &mut model.proto.graph {
        widen_graph(graph, Some(&types))?;
    }
    let widen = |value: &Value| value.as_tensor().map_or_else(|| value.clone(), |tensor| widened(tensor).into());
    Ok(Drawn { model, inputs: drawn.inputs.iter().map(widen).collect(), features: vec![] })
}

fn widen_graph(graph: &mut GraphProto, types: Option<&HashMap<String, DType>>) -> Result<(), String> {
    graph.initializer.iter_mut().for_each(widen_proto);
    for info in graph.input.iter_mut().chain(&mut graph.output).chain(&mut graph.value_info) {
        widen_type(&mut info.r#type);
    }
    for node in std::mem::take(&mut graph.node) {
        graph.node.extend(widen_node(node, types)?);
    }
    Ok(())
}

fn widen_node(mut node: NodeProto, types: Option<&HashMap<String, DType>>) -> Result<Vec<NodeProto>, String> {
    let name = node.op_type.clone().unwrap_or_default();
    if name == "Cast" || name == "CastLike" {
        let to = node.attribute.iter().find(|attribute| attribute.name.as_deref() == Some("to"));
        let to = match (to, types) {
            (Some(to), _) => to.i.and_then(|code| DType::from_code(code as usize)),
            (None, Some(types)) => node.input.get(1).and_then(|like| types.get(like).copied()),
            (None, None) => return Err(format!("{name} is in a nested graph")),
        };
        let Some(to) = to.filter(|to| is_narrow(*to)) else { return Ok(vec![node]) };
        let (input, output) = (&node.input[0], &node.output[0]);
        let rounded = format!("{output}_rounded");
        return Ok(vec![cast(input, &rounded, to), cast(&rounded, output, DType::Double)]);
    }
    for attribute in &mut node.attribute {
        if let Some(tensor) = &mut attribute.t {
            widen_proto(tensor);
        }
        if let Some(nested) = &mut attribute.g {
            widen_graph(nested, None)?;
        }
        let floats: Option<(Vec<usize>, Vec<f32>)> = match attribute.name.as_deref() {
            Some("value_float") => attribute.f.map(|x| (vec![], vec![x])),
            Some("value_floats") => Some((vec![attribute.floats.len()], attribute.floats.clone())),
            _ => None,
        };
        if let Some((shape, floats)) = floats {
            let floats: Vec<f64> = floats.into_iter().map(f64::from).collect();
            let tensor = Tensor::from_f64s(DType::Double, shape, &floats).expect("a scalar or a list");
            *attribute = AttributeProto {
                t: Some(tensor_to_proto(&tensor, "")),
                ..proto::attribute("value", AttributeKind::Tensor)
            };
        }
    }
    if !OF_NARROW_TYPES.contains(&name.as_str()) {
        return Ok(vec![node]);
    }
    let types = types.ok_or_else(|| format!("{name} is in a nested graph"))?;
    let narrow = |name: &String| types.get(name).copied().filter(|dtype| is_narrow(*dtype));
    let (mut before, mut after) = (vec![], vec![]);
    for (at, input) in node.input.iter_mut().enumerate() {
        if let Some(dtype) = narrow(input) {
            let rounded = format!("{}_operand{at}", node.output[0]);
            before.push(cast(input, &rounded, dtype));
            *input = rounded;
        }
    }
    for output in &mut node.output {
        if narrow(output).is_some() {
            let narrow = format!("{output}_narrow");
            after.push(cast(&narrow, output, DType::Double));
            *output = narrow;
        }
    }
    Ok(before.into_iter().chain([node]).chain(after).collect())
}

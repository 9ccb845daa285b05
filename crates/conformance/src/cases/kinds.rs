//! The types of the values of a model, as far as they follow from the types of its inputs, its declarations and the
//! specification. Nothing is computed.

use std::collections::HashMap;

use plumbline_generator::kind_of;
use plumbline_graph::{FunctionCall, Library};
use plumbline_spec::{AttributeValue, OperatorVersion};
use plumbline_tensor::onnx::{GraphProto, NodeProto, ValueInfoProto};
use plumbline_tensor::{DType, Model, ValueKind};

use super::named_outputs;

/// Returns the types of the values in the main graph by name. Values are missing whose type only a computation shows.
pub(crate) fn value_kinds(model: &Model) -> HashMap<String, ValueKind> {
    kinds_in(&Library::new(model), model.graph(), &HashMap::new())
}

/// Returns the types of the values in a graph; `outer` has those of the values around it.
fn kinds_in(library: &Library, graph: &GraphProto, outer: &HashMap<String, ValueKind>) -> HashMap<String, ValueKind> {
    let mut kinds = outer.clone();
    kinds.extend(declared_kinds(graph).into_iter().map(|(name, kind)| (name.to_owned(), kind)));
    let inputs = graph.input.iter().filter_map(|info| Some((info.name.clone()?, info.r#type.as_ref()?)));
    kinds.extend(inputs.filter_map(|(name, type_)| Some((name, ValueKind::from_proto(type_)?))));
    for constant in &graph.initializer {
        let dtype = DType::from_code(constant.data_type.unwrap_or(0));
        kinds.extend(constant.name.clone().zip(dtype.map(ValueKind::Tensor)));
    }
    add_nodes(library, &graph.node, &mut kinds);
    kinds
}

/// Returns the types that a graph declares for its intermediate values and outputs.
pub(crate) fn declared_kinds(graph: &GraphProto) -> HashMap<&str, ValueKind> {
    let kind = |info: &ValueInfoProto| ValueKind::from_proto(info.r#type.as_ref()?);
    let infos = graph.value_info.iter().chain(&graph.output);
    infos.filter_map(|info| Some((info.name.as_deref()?, kind(info)?))).collect()
}

fn add_nodes(library: &Library, nodes: &[NodeProto], kinds: &mut HashMap<String, ValueKind>) {
    for node in nodes {
        if named_outputs(node).all(|name| kinds.contains_key(name)) {
            continue;
        }
        let found = output_kinds(library, node, kinds);
        for (name, kind) in node.output.iter().zip(found) {
            if let (false, Some(kind)) = (name.is_empty() || kinds.contains_key(name), kind) {
                kinds.insert(name.clone(), kind);
            }
        }
    }
}

/// Returns the type of each output of a node, as far as it is known.
fn output_kinds(library: &Library, node: &NodeProto, kinds: &HashMap<String, ValueKind>) -> Vec<Option<ValueKind>> {
    if let Some(function) = library.function(node) {
        let Ok(inner) = library.inside(function) else { return vec![] };
        let given = function.input.iter().zip(&node.input);
        let mut own = given.filter_map(|(formal, name)| Some((formal.clone(), kinds.get(name)?.clone()))).collect();
        if let Ok(call) = FunctionCall::new(function, node) {
            add_nodes(&inner, &call.nodes(), &mut own);
        }
        return function.output.iter().map(|name| own.get(name).cloned()).collect();
    }
    let Ok(version) = library.resolve(node) else { return vec![] };
    // If, Loop and Scan give what their graphs give. The first output of Loop's graph is the condition.
    if let Some(graph) = node.nested().next() {
        let inner = kinds_in(library, graph, kinds);
        let outputs = graph.output.iter().skip(usize::from(version.id.name == "Loop"));
        return outputs.map(|output| inner.get(output.name.as_deref()?).cloned()).collect();
    }
    (0..node.output.len()).map(|at| output_kind(version, node, at, kinds)).collect()
}

fn output_kind(
    version: &OperatorVersion,
    node: &NodeProto,
    at: usize,
    kinds: &HashMap<String, ValueKind>,
) -> Option<ValueKind> {
    let type_ = &version.output_at(at)?.type_;
    let Some(allowed) = version.types.get(type_) else { return type_.parse().ok().map(|type_| kind_of(&type_)) };
    let input_of = |variable: &str| {
        let mut named = node.input.iter().enumerate().filter(|(_, name)| !name.is_empty());
        named.find(|(at, _)| version.input_at(*at).is_some_and(|formal| formal.type_ == variable))
    };
    if let Some((_, name)) = input_of(type_) {
        return kinds.get(name).cloned();
    }
    if let [only] = allowed.as_slice() {
        return Some(kind_of(only));
    }
    if let Some(dtype) = attribute_dtype(version, node) {
        return Some(ValueKind::Tensor(dtype));
    }
    // A sequence and its elements have different variables, but the same element type.
    let is_of_sequences =
        allowed.iter().chain(version.types.values().flatten()).any(|type_| type_.tensor_dtype().is_none());
    let leaf = leaf_dtype(kinds.get(node.input.first()?)?);
    match version.id.name.as_str() {
        _ if is_of_sequences => {
            let mut fitting = allowed.iter().filter(|type_| Some(type_.leaf_dtype()) == leaf);
            fitting.next().filter(|_| fitting.next().is_none()).map(kind_of)
        }
        // Without an attribute and an input that say otherwise, these have the type of their input or a type of their own.
        "EyeLike" | "RandomNormalLike" | "RandomUniformLike" | "Bernoulli" => leaf.map(ValueKind::Tensor),
        "QuantizeLinear" => Some(ValueKind::Tensor(DType::Uint8)),
        _ => None,
    }
}

/// Returns the element type of a tensor, or of the tensors in a sequence, map or optional.
fn leaf_dtype(kind: &ValueKind) -> Option<DType> {
    match kind {
        ValueKind::Sequence(element) | ValueKind::Optional(element) | ValueKind::Map(_, element) => leaf_dtype(element),
        tensor => tensor.dtype(),
    }
}

/// Returns the element type that an attribute of the node states, or the default of such an attribute.
fn attribute_dtype(version: &OperatorVersion, node: &NodeProto) -> Option<DType> {
    let given = |name: &str| node.attribute.iter().find(|attribute| attribute.name.as_deref() == Some(name));
    match version.id.name.as_str() {
        "ConstantOfShape" => {
            let value = given("value").and_then(|attribute| attribute.t.as_ref());
            return DType::from_code(value.map_or(DType::Float.code(), |value| value.data_type.unwrap_or(0)));
        }
        "Constant" => {
            let attribute = node.attribute.first()?;
            return match attribute.name.as_deref()? {
                "value" => DType::from_code(attribute.t.as_ref()?.data_type?),
                "value_float" | "value_floats" => Some(DType::Float),
                "value_int" | "value_ints" => Some(DType::Int64),
                "value_string" | "value_strings" => Some(DType::String),
                _ => None,
            };
        }
        _ => {}
    }
    ["to", "dtype", "output_dtype", "output_datatype"].into_iter().find_map(|name| {
        let default = match version.attribute(name)?.default {
            Some(AttributeValue::Int(code)) => Some(code),
            _ => None,
        };
        let code = given(name).and_then(|attribute| attribute.i).or(default)?;
        DType::from_code(i32::try_from(code).ok()?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_follow_from_declarations_attributes_and_other_types() {
        let model: Model = r#"
            <ir_version: 8, opset_import: ["" : 17]>
            g (float16[2] x, bool b) => (float[N] y) {
                h = Relu (x)
                c = Cast <to = 7> (h)
                s = SequenceConstruct (h, x)
                zero = Constant <value_int = 0> ()
                e = SequenceAt (s, zero)
                m = Less (h, x)
                i = If (b) <then_branch = t () => (v) { v = Shape (x) }, else_branch = f () => (v) { v = Size (x) }>
                r = RandomNormal <shape = [2]> ()
                n = SequenceMap (s) <body = q (float16[2] k) => (o) { o = Neg (k) }>
            }
        "#
        .parse()
        .unwrap();
        let kinds = value_kinds(&model);
        let tensor = |name: &str| match &kinds[name] {
            ValueKind::Tensor(dtype) => *dtype,
            other => panic!("{name} is {other}"),
        };
        let found = ["h", "c", "e", "m", "i", "r"].map(tensor);
        let wanted = [DType::Float16, DType::Int64, DType::Float16, DType::Bool, DType::Int64, DType::Float];
        assert_eq!(found, wanted);
        assert_eq!(kinds["s"], ValueKind::Sequence(Box::new(ValueKind::Tensor(DType::Float16))));
    }
}

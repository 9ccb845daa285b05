//! Runs a function body like a plain runtime: one operator after the other, with each output rounded to its type.

use std::collections::BTreeMap;

use plumbline_graph::Refusal;
use plumbline_oracle::{Operand, Oracle};
use plumbline_tensor::onnx::{AttributeProto, GraphProto, ModelProto, NodeProto, ValueInfoProto};
use plumbline_tensor::{Model, Value, tensor_from_proto};

/// The result of running a body.
pub struct Stepped {
    /// The outputs of the body, as far as the case's node names them.
    pub outputs: Vec<Value>,
    /// Whether the specification left an element open in any of the steps.
    pub open: bool,
}

/// Runs the function that the only node of `body` calls.
pub fn stepped(body: &Model, inputs: &[Value]) -> Result<Stepped, Refusal> {
    let (function, caller) = (&body.proto.functions[0], &body.graph().node[0]);
    let mut given: BTreeMap<&str, Value> = body.input_names().into_iter().zip(inputs.iter().cloned()).collect();
    for tensor in &body.graph().initializer {
        given.insert(tensor.name.as_deref().unwrap(), tensor_from_proto(tensor).unwrap().into());
    }
    let named = function.input.iter().zip(&caller.input);
    let mut values: BTreeMap<String, Value> =
        named.filter_map(|(formal, name)| Some((formal.clone(), given.get(name.as_str())?.clone()))).collect();
    let attributes: Vec<&AttributeProto> = caller.attribute.iter().chain(&function.attribute_proto).collect();
    let mut open = false;
    for node in &function.node {
        let mut node = bound(node, &attributes);
        // An input that the caller leaves out is left out in the function too.
        node.input.iter_mut().filter(|name| !values.contains_key(*name)).for_each(String::clear);
        let names: Vec<&String> = node.output.iter().filter(|name| !name.is_empty()).collect();
        let graph = GraphProto {
            // Declares all values, so that graphs inside the node can see them.
            input: values.iter().map(|(name, value)| info(name, Some(value))).collect(),
            output: names.iter().map(|name| info(name, None)).collect(),
            node: vec![node.clone()],
            ..GraphProto::default()
        };
        let opset_import = function.opset_import.clone();
        let model = Model { proto: ModelProto { graph: Some(graph), opset_import, ..ModelProto::default() } };
        let inputs: Vec<Value> = values.values().cloned().collect();
        let answer = Oracle::default().answer(&model, &inputs)?;
        for (name, operand) in names.into_iter().zip(&answer) {
            open |=
                matches!(operand, Operand::Tensor(tensor) if (0..tensor.len()).any(|at| super::is_open(tensor, at)));
            values.insert(name.clone(), operand.to_value());
        }
    }
    let wanted = function.output.iter().zip(&caller.output).filter(|(_, name)| !name.is_empty());
    Ok(Stepped { outputs: wanted.map(|(formal, _)| values[formal].clone()).collect(), open })
}

fn info(name: &str, value: Option<&Value>) -> ValueInfoProto {
    ValueInfoProto {
        name: Some(name.to_owned()),
        r#type: value.map(|value| value.kind().to_proto()),
        ..ValueInfoProto::default()
    }
}

/// Returns a node of the function with these attributes in place of the references to them. A reference to an attribute
/// that is not given is left out.
fn bound(node: &NodeProto, given: &[&AttributeProto]) -> NodeProto {
    let attribute = |a: &AttributeProto| match a.ref_attr_name.as_deref().filter(|name| !name.is_empty()) {
        Some(reference) => {
            let referred = given.iter().find(|g| g.name.as_deref() == Some(reference))?;
            Some(AttributeProto { name: a.name.clone(), ..(*referred).clone() })
        }
        None => {
            let mut a = a.clone();
            if let Some(graph) = &mut a.g {
                graph.node = graph.node.iter().map(|node| bound(node, given)).collect();
            }
            Some(a)
        }
    };
    NodeProto { attribute: node.attribute.iter().filter_map(attribute).collect(), ..node.clone() }
}

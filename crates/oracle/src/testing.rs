//! Helpers for the tests next to kernels: they run one node with the oracle.

use std::sync::Arc;

use plumbline_tensor::onnx::{AttributeProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, ValueInfoProto};
use plumbline_tensor::{Model, Tensor, Value};

use super::{Expected, Operand, Reference};
use crate::Refusal;

/// Returns an INT attribute.
pub fn int(name: &str, value: i64) -> AttributeProto {
    AttributeProto { name: Some(name.to_owned()), r#type: Some(2), i: Some(value), ..AttributeProto::default() }
}

/// Returns a FLOAT attribute.
pub fn float(name: &str, value: f32) -> AttributeProto {
    AttributeProto { name: Some(name.to_owned()), r#type: Some(1), f: Some(value), ..AttributeProto::default() }
}

/// Returns a STRING attribute.
pub fn string(name: &str, value: &str) -> AttributeProto {
    AttributeProto { name: Some(name.to_owned()), r#type: Some(3), s: Some(value.into()), ..AttributeProto::default() }
}

/// Returns an INTS attribute.
pub fn ints(name: &str, values: &[i64]) -> AttributeProto {
    AttributeProto { name: Some(name.to_owned()), r#type: Some(7), ints: values.to_vec(), ..AttributeProto::default() }
}

/// Returns a tensor of float32.
pub fn floats(shape: &[usize], values: &[f32]) -> Tensor {
    Tensor::from_f32s(shape.to_vec(), values).expect("the shape has as many elements as values")
}

/// Returns the oracle's answer for a node of `operator` at this opset that has `outputs` outputs.
pub fn run(
    operator: &str,
    opset: i64,
    attributes: &[AttributeProto],
    inputs: &[Tensor],
    outputs: usize,
) -> Result<Vec<Arc<Expected>>, Refusal> {
    let info = |name: &String| ValueInfoProto { name: Some(name.clone()), ..ValueInfoProto::default() };
    let names: Vec<String> = (0..inputs.len()).map(|i| format!("in{i}")).collect();
    let made: Vec<String> = (0..outputs).map(|i| format!("out{i}")).collect();
    let node = NodeProto {
        op_type: Some(operator.to_owned()),
        input: names.clone(),
        output: made.clone(),
        attribute: attributes.to_vec(),
        ..NodeProto::default()
    };
    let graph = GraphProto {
        node: vec![node],
        input: names.iter().map(info).collect(),
        output: made.iter().map(info).collect(),
        ..GraphProto::default()
    };
    let opset = OperatorSetIdProto { domain: None, version: Some(opset) };
    let proto = ModelProto { opset_import: vec![opset], graph: Some(graph), ..ModelProto::default() };
    let values: Vec<Value> = inputs.iter().cloned().map(Value::from).collect();
    let answer = Reference::default().answer(&Model { proto }, &values)?;
    Ok(answer
        .into_iter()
        .map(|operand| match operand {
            Operand::Tensor(tensor) => tensor,
            other => panic!("{operator} returned {}, expected a tensor", other.kind()),
        })
        .collect())
}

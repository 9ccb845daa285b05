//! Builds models of one node, for the test programs of several crates.
#![allow(dead_code, clippy::unwrap_used, reason = "a test program uses some of it")]

use plumbline_oracle::{Expected, Reference};
use plumbline_tensor::{DType, Model, Tensor, Value, ValueKind, onnx};

/// Returns a model of one node `op(a, b, ...)` of `ai.onnx` at an opset, with one output `y`.
pub fn model(op: &str, opset: i64, inputs: &[&str], output: &str) -> Model {
    model_with(op, opset, inputs, output, vec![])
}

/// Returns such a model, whose node has these attributes.
pub fn model_with(op: &str, opset: i64, inputs: &[&str], output: &str, attribute: Vec<onnx::AttributeProto>) -> Model {
    let value = |name: &str, kind: &str| onnx::ValueInfoProto {
        name: Some(name.to_owned()),
        r#type: Some(kind.parse::<ValueKind>().unwrap().to_proto()),
        ..Default::default()
    };
    let names: Vec<String> = ('a'..).take(inputs.len()).map(String::from).collect();
    let graph = onnx::GraphProto {
        name: Some("g".to_owned()),
        node: vec![onnx::NodeProto {
            op_type: Some(op.to_owned()),
            input: names.clone(),
            output: vec!["y".to_owned()],
            attribute,
            ..Default::default()
        }],
        input: names.iter().zip(inputs).map(|(name, kind)| value(name, kind)).collect(),
        output: vec![value("y", output)],
        ..Default::default()
    };
    Model {
        proto: onnx::ModelProto {
            ir_version: Some(8),
            graph: Some(graph),
            opset_import: vec![onnx::OperatorSetIdProto { domain: None, version: Some(opset) }],
            ..Default::default()
        },
    }
}

/// Returns a model of one node, where inputs and outputs have no declared types.
pub fn untyped(op: &str, opset: i64, inputs: usize, outputs: usize, attribute: Vec<onnx::AttributeProto>) -> Model {
    let value = |name: &String| onnx::ValueInfoProto { name: Some(name.clone()), ..Default::default() };
    let names = |letter: char, count: usize| (0..count).map(|i| format!("{letter}{i}")).collect::<Vec<_>>();
    let (input, output) = (names('x', inputs), names('y', outputs));
    let node = onnx::NodeProto {
        op_type: Some(op.to_owned()),
        input: input.clone(),
        output: output.clone(),
        attribute,
        ..Default::default()
    };
    let graph = onnx::GraphProto {
        node: vec![node],
        input: input.iter().map(value).collect(),
        output: output.iter().map(value).collect(),
        ..Default::default()
    };
    let opset = onnx::OperatorSetIdProto { domain: None, version: Some(opset) };
    Model { proto: onnx::ModelProto { opset_import: vec![opset], graph: Some(graph), ..Default::default() } }
}

/// Returns an INT attribute.
pub fn int(name: &str, i: i64) -> onnx::AttributeProto {
    onnx::AttributeProto { name: Some(name.to_owned()), i: Some(i), r#type: Some(2), ..Default::default() }
}

/// Returns a vector of numbers of any element type.
pub fn numbers(dtype: DType, values: &[f64]) -> Value {
    Value::Tensor(Tensor::from_f64s(dtype, vec![values.len()], values).unwrap())
}

/// Returns a vector of float.
pub fn float(values: &[f64]) -> Value {
    numbers(DType::Float, values)
}

/// Returns the oracle's answer for one node: its outputs, which are all tensors.
pub fn all(
    op: &str,
    opset: i64,
    attribute: Vec<onnx::AttributeProto>,
    inputs: &[&Tensor],
    outputs: usize,
) -> Vec<Expected> {
    let model = untyped(op, opset, inputs.len(), outputs, attribute);
    let inputs: Vec<_> = inputs.iter().map(|&t| t.clone().into()).collect();
    let answer = Reference::default().answer(&model, &inputs).unwrap();
    answer.iter().map(|o| o.tensor().unwrap().clone()).collect()
}

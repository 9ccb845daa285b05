//! Builds models of one node, for the test programs of several crates.
#![allow(dead_code, clippy::unwrap_used, reason = "each test program uses only some of these functions")]

use plumbline_oracle::{Expected, Oracle};
use plumbline_tensor::{DType, Model, Tensor, Value, ValueKind};

/// Returns a model of one node with the inputs `a`, `b`, ... and the output `y`, which have these types. The node is
/// written in ONNX's text syntax, without outputs and inputs: `Softmax <axis = 1>`. `opset` is the opset of the
/// node's domain.
pub fn model(node: &str, opset: i64, inputs: &[&str], output: &str) -> Model {
    let typed = |kind: &str, name: &str| format!("{} {name}", kind.parse::<ValueKind>().unwrap().to_proto());
    let names: Vec<String> = ('a'..).take(inputs.len()).map(String::from).collect();
    let typed_inputs: Vec<String> = inputs.iter().zip(&names).map(|(kind, name)| typed(kind, name)).collect();
    let mut model = one_node(node, opset, [&typed_inputs.join(", "), &typed(output, "y")], [&names.join(", "), "y"]);
    model.proto.ir_version = Some(8);
    model
}

/// Returns a model of one node, written as for [`model`], with the inputs `x0`, `x1`, ... and the outputs `y0`, `y1`,
/// ..., none of which has a declared type.
pub fn untyped(node: &str, opset: i64, inputs: usize, outputs: usize) -> Model {
    let names = |letter: char, count: usize| (0..count).map(|i| format!("{letter}{i}")).collect::<Vec<_>>().join(", ");
    let (inputs, outputs) = (names('x', inputs), names('y', outputs));
    one_node(node, opset, [&inputs, &outputs], [&inputs, &outputs])
}

fn one_node(node: &str, opset: i64, graph: [&str; 2], names: [&str; 2]) -> Model {
    let operator = node.split(['<', ' ']).next().unwrap();
    let domain = operator.rsplit_once('.').map_or("", |(domain, _)| domain);
    let ([inputs, outputs], [from, to]) = (graph, names);
    let text = format!(
        "<opset_import: [\"{domain}\" : {opset}]> one_node ({inputs}) => ({outputs}) {{ {to} = {node} ({from}) }}"
    );
    text.parse().unwrap_or_else(|e| panic!("{e}: {text}"))
}

/// Returns a 1-D tensor of this element type.
pub fn numbers(dtype: DType, values: &[f64]) -> Value {
    Value::Tensor(Tensor::from_f64s(dtype, vec![values.len()], values).unwrap())
}

/// Returns a 1-D tensor of float.
pub fn float(values: &[f64]) -> Value {
    numbers(DType::Float, values)
}

/// Returns the outputs that the oracle expects of one node. All of them are tensors.
pub fn expected_outputs(node: &str, opset: i64, inputs: &[&Tensor], outputs: usize) -> Vec<Expected> {
    let model = untyped(node, opset, inputs.len(), outputs);
    let inputs: Vec<_> = inputs.iter().map(|&t| t.clone().into()).collect();
    let answer = Oracle::default().answer(&model, &inputs).unwrap();
    answer.iter().map(|o| o.tensor().unwrap().clone()).collect()
}

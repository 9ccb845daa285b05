//! Helpers for the tests next to kernels: they run one node with the oracle.

use std::sync::Arc;

use plumbline_tensor::{Model, Tensor, Value};

use super::{Expected, Operand, Reference};
use crate::Refusal;

/// Returns a tensor of float32.
pub fn floats(shape: &[usize], values: &[f32]) -> Tensor {
    Tensor::from_f32s(shape.to_vec(), values).expect("the values fill the shape")
}

/// Returns the oracle's answer for a node with `outputs` outputs at this opset. The node is written in ONNX's text
/// syntax, without outputs and inputs: `Softmax <axis = 1>`.
pub fn run(node: &str, opset: i64, inputs: &[Tensor], outputs: usize) -> Result<Vec<Arc<Expected>>, Refusal> {
    let names = |name: &str, count| (0..count).map(|i| format!("{name}{i}")).collect::<Vec<_>>().join(", ");
    let (ins, outs) = (names("in", inputs.len()), names("out", outputs));
    let text = format!("<opset_import: [\"\" : {opset}]> one_node ({ins}) => ({outs}) {{ {outs} = {node} ({ins}) }}");
    let model: Model = text.parse().unwrap_or_else(|e| panic!("{e}: {text}"));
    let values: Vec<Value> = inputs.iter().cloned().map(Value::from).collect();
    let answer = Reference::default().answer(&model, &values)?;
    Ok(answer
        .into_iter()
        .map(|operand| match operand {
            Operand::Tensor(tensor) => tensor,
            other => panic!("{node} returned {}, expected a tensor", other.kind()),
        })
        .collect())
}

//! Helpers for the tests next to kernels: they run one node with the oracle.

use std::sync::Arc;

use plumbline_tensor::{Model, Tensor, Value};

use super::{Evaluation, Expected, Operand, Policy, Reference};
use crate::Refusal;

/// Returns a tensor of float32.
pub fn floats(shape: &[usize], values: &[f32]) -> Tensor {
    Tensor::from_f32s(shape.to_vec(), values).expect("the values fill the shape")
}

/// Returns the oracle's answer for a node with `outputs` outputs at this opset. The node is written in ONNX's text
/// syntax, without outputs and inputs: `Softmax <axis = 1>`.
pub fn run(node: &str, opset: i64, inputs: &[Tensor], outputs: usize) -> Result<Vec<Arc<Expected>>, Refusal> {
    evaluate(Policy::default(), node, opset, inputs, outputs).map(|evaluation| tensors(evaluation.outputs))
}

/// Returns what [`run`] returns, and what the text of an older release of ONNX says: its answer, or `None` if it says
/// the same.
pub fn run_by_both(release: &str, node: &str, opset: i64, inputs: &[Tensor], outputs: usize) -> ByBoth {
    let mut policy = Policy::default();
    policy.onnx = Some(release.parse().expect("the release exists"));
    let evaluation = evaluate(policy, node, opset, inputs, outputs)?;
    let older = evaluation.others.into_iter().find(|other| other.release.is_some());
    Ok((tensors(evaluation.outputs), older.map(|older| tensors(older.outputs))))
}

/// The tensors by the newest text, and those by an older one.
type ByBoth = Result<(Vec<Arc<Expected>>, Option<Vec<Arc<Expected>>>), Refusal>;

/// Evaluates a node, which is written as for [`run`].
pub fn evaluate(
    policy: Policy,
    node: &str,
    opset: i64,
    inputs: &[Tensor],
    outputs: usize,
) -> Result<Evaluation, Refusal> {
    let names = |name: &str, count| (0..count).map(|i| format!("{name}{i}")).collect::<Vec<_>>().join(", ");
    let (ins, outs) = (names("in", inputs.len()), names("out", outputs));
    let text = format!("<opset_import: [\"\" : {opset}]> one_node ({ins}) => ({outs}) {{ {outs} = {node} ({ins}) }}");
    let model: Model = text.parse().unwrap_or_else(|e| panic!("{e}: {text}"));
    let values: Vec<Value> = inputs.iter().cloned().map(Value::from).collect();
    Reference::new(policy).evaluate(&model, &values)
}

fn tensors(operands: Vec<Operand>) -> Vec<Arc<Expected>> {
    let tensor = |operand| match operand {
        Operand::Tensor(tensor) => tensor,
        other => panic!("the node returned {}, expected a tensor", other.kind()),
    };
    operands.into_iter().map(tensor).collect()
}

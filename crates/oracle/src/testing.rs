//! Helpers for the tests next to kernels: they run one node with the oracle.

use std::sync::Arc;

use plumbline_spec::Numerics;
use plumbline_tensor::{Model, Tensor, Value};

use super::{Evaluation, Expected, Operand, Oracle, Policy};
use crate::Refusal;

/// Returns a tensor of float32.
pub fn floats(shape: &[usize], values: &[f32]) -> Tensor {
    Tensor::from_f32s(shape.to_vec(), values).expect("the values fill the shape")
}

/// Returns the oracle's answer for a node with `outputs` outputs at this opset. The node is written in ONNX's text
/// syntax, without outputs and inputs: `Softmax <axis = 1>`.
pub fn run(node: &str, opset: i64, inputs: &[Tensor], outputs: usize) -> Result<Vec<Arc<Expected>>, Refusal> {
    evaluate(None, node, opset, inputs, outputs).map(|evaluation| tensors(evaluation.outputs))
}

/// Returns what [`run`] returns, and what the text of an older release of ONNX says: its answer, or `None` if it says
/// the same.
pub fn run_by_both(release: &str, node: &str, opset: i64, inputs: &[Tensor], outputs: usize) -> ByBoth {
    let evaluation = evaluate(Some(release), node, opset, inputs, outputs)?;
    let older = evaluation.others.into_iter().find(|other| other.rule.release.is_some());
    Ok((tensors(evaluation.outputs), older.map(|older| tensors(older.outputs))))
}

/// The tensors by the newest text, and those by an older one.
type ByBoth = Result<(Vec<Arc<Expected>>, Option<Vec<Arc<Expected>>>), Refusal>;

/// Returns the elements of the only output of a node (see [`run`]): by the newest text, and in each alternative that
/// the text of this release allows.
pub fn answers_by(release: &str, node: &str, opset: i64, inputs: &[Tensor]) -> Vec<Vec<f64>> {
    let evaluation = evaluate(Some(release), node, opset, inputs, 1).expect("the node is valid by the newest text");
    let answers = [evaluation.outputs].into_iter().chain(evaluation.others.into_iter().map(|other| other.outputs));
    answers.map(|operands| tensors(operands)[0].tensor.to_f64s()).collect()
}

/// Returns the rule by which a backend that implements this release may refuse a node (see [`run`]), if there is one.
pub fn refusable_by(release: &str, node: &str, opset: i64, inputs: &[Tensor], outputs: usize) -> Option<String> {
    let evaluation = evaluate(Some(release), node, opset, inputs, outputs);
    evaluation.expect("the node is valid by the newest text").refusable().map(|rule| rule.to_string())
}

/// Returns the elements of the only output of a node that the newest text refuses (see [`run`]), by the text of this
/// release. `None` if that text refuses the node as well, or if it leaves open what the answer is.
pub fn answer_of_refused(release: &str, node: &str, opset: i64, inputs: &[Tensor]) -> Option<Vec<f64>> {
    let (oracle, model, values) = question(Some(release), node, opset, inputs, 1);
    let (_, answer) = oracle.evaluate_by_release(&model, &values)?;
    Some(tensors(answer.ok()?.outputs)[0].tensor.to_f64s())
}

fn evaluate(
    release: Option<&str>,
    node: &str,
    opset: i64,
    inputs: &[Tensor],
    outputs: usize,
) -> Result<Evaluation, Refusal> {
    let (oracle, model, values) = question(release, node, opset, inputs, outputs);
    oracle.evaluate(&model, &values)
}

/// Returns the oracle for a backend that implements a release of ONNX (`None` stands for the newest), the model of a
/// node, which is written as for [`run`], and its inputs.
fn question(
    release: Option<&str>,
    node: &str,
    opset: i64,
    inputs: &[Tensor],
    outputs: usize,
) -> (Oracle, Model, Vec<Value>) {
    let names = |name: &str, count| (0..count).map(|i| format!("{name}{i}")).collect::<Vec<_>>().join(", ");
    let (ins, outs) = (names("in", inputs.len()), names("out", outputs));
    let text = format!("<opset_import: [\"\" : {opset}]> one_node ({ins}) => ({outs}) {{ {outs} = {node} ({ins}) }}");
    let model: Model = text.parse().unwrap_or_else(|e| panic!("{e}: {text}"));
    let values: Vec<Value> = inputs.iter().cloned().map(Value::from).collect();
    let onnx = release.map(|release| release.parse().expect("the release exists"));
    let policy = Policy::new(&Numerics { onnx, ..Numerics::default() }).expect("the default table of functions exists");
    (Oracle::new(policy), model, values)
}

fn tensors(operands: Vec<Operand>) -> Vec<Arc<Expected>> {
    let tensor = |operand| match operand {
        Operand::Tensor(tensor) => tensor,
        other => panic!("the node returned {}, expected a tensor", other.kind()),
    };
    operands.into_iter().map(tensor).collect()
}

//! Judges each node on the values that an implementation itself had as the node's inputs.

use std::collections::HashMap;

use plumbline_backend::Observation;
use plumbline_judge::{FailKind, Judgement, Reason, Right, error_ratios, explained, judge_in_detail};
use plumbline_oracle::{Evaluation, OpenRule, Operand, Oracle};
use plumbline_tensor::onnx::NodeProto;
use plumbline_tensor::{DType, Model, Value, ValueKind};

use super::error::JudgeError;
use super::given::Values;
use super::report::{NodeJudgement, NodeOutcome, OutputJudgement};
use crate::cases::{Layout, named_outputs};

/// At most this many elements of each value are listed.
const MOST_LISTED: usize = 16;

/// Compares values with what the oracle accepts for them: `evaluation` is its answer for a model and its inputs.
/// Returns the judgement of all values, and that of each value.
pub(super) fn judge_values(
    reference: &Oracle,
    asked: (&Model, &[Value]),
    evaluation: Evaluation,
    names: &[&str],
    values: &[Value],
) -> (Judgement, Vec<OutputJudgement>) {
    let open = evaluation.open.clone();
    let right = Right::from(evaluation);
    let (whole, mut tallies) = judge_in_detail(&right, names, values, MOST_LISTED);
    let observation = Observation::Outputs { values: values.to_vec(), seconds: 0.0 };
    let mut whole = explained(whole, reference, asked, &right, &observation);
    let ratios = error_ratios(&whole, reference, asked, &right, &observation);
    for (tally, ratio) in tallies.iter_mut().zip(&ratios) {
        tally.judgement.error_ratio = *ratio;
    }
    whole.error_ratio = ratios.into_iter().flatten().reduce(f64::max);
    if let Reason::Inaccurate { by, error, .. } = whole.reason {
        for tally in tallies.iter_mut().filter(|tally| tally.judgement.kind == Some(FailKind::WrongValue)) {
            tally.judgement = tally.judgement.clone().inaccurate(by, error);
        }
    }
    let each = tallies.into_iter().zip(names.iter().zip(values)).map(|(tally, (name, value))| {
        let mut elements = tally.elements;
        for element in &mut elements {
            let says =
                |rule: &OpenRule| Some(rule.behaviour?.text.as_str()).filter(|_| Some(rule.label) == element.rule);
            element.rule_text = open.iter().find_map(says);
        }
        OutputJudgement { wrong: tally.wrong, elements, ..OutputJudgement::new(name, value, tally.judgement) }
    });
    (whole, each.collect())
}

/// Judges the nodes in their order. `inputs` are the inputs of the model, `given` has its outputs and intermediate
/// values, and `declared` has the types that the model declares for values.
pub(super) fn judge_nodes(
    reference: &Oracle,
    layout: &Layout,
    inputs: HashMap<&str, Value>,
    given: &Values,
    declared: &HashMap<&str, ValueKind>,
) -> Result<Vec<NodeJudgement>, JudgeError> {
    let mut known: HashMap<&str, Value> = inputs;
    let mut kinds: HashMap<&str, ValueKind> = known.iter().map(|(name, value)| (*name, value.kind())).collect();
    let mut judged: Vec<NodeJudgement> = Vec::new();
    for (at, node) in layout.nodes().iter().enumerate() {
        let names: Vec<&str> = named_outputs(node).filter(|name| given.has(name)).collect();
        let mut own = HashMap::new();
        let mut together_with = vec![];
        let outcome = if names.is_empty() {
            let reason = if is_constant(node) { "a constant" } else { "no value of its outputs is given" };
            NodeOutcome::NotJudged { reason: reason.to_owned() }
        } else {
            let part = layout.part(at, &names, &kinds);
            let before = part.nodes.iter().filter(|&&before| before != at && !is_constant(&layout.nodes()[before]));
            together_with = before.map(|&before| layout.place(before)).collect();
            let inputs: Vec<Value> = part.inputs.iter().filter_map(|name| known.get(name.as_str()).cloned()).collect();
            let evaluation = reference.evaluate_located(&part.model, &inputs);
            for (place, name) in names.iter().enumerate() {
                let kind = match &evaluation {
                    Ok(evaluation) => evaluation.outputs.get(place).map(Operand::kind),
                    Err(_) => declared.get(name).cloned(),
                };
                // Most values are tensors; the element type does not matter for reading one.
                let kind = kind.unwrap_or(ValueKind::Tensor(DType::Float));
                own.extend(given.read_as(name, &kind)?.map(|value| (*name, value)));
            }
            match evaluation {
                Ok(evaluation) => {
                    let values: Vec<Value> = names.iter().filter_map(|name| own.get(name).cloned()).collect();
                    let asked = (&part.model, &inputs[..]);
                    let (whole, outputs) = judge_values(reference, asked, evaluation, &names, &values);
                    let detail = whole.detail();
                    NodeOutcome::Judged { verdict: whole.verdict, kind: whole.kind, detail, outputs }
                }
                Err(mut stopped) => {
                    stopped.node = stopped.node.and_then(|inner| part.nodes.get(inner).copied());
                    NodeOutcome::NotJudged { reason: JudgeError::stopped(layout, stopped).to_string() }
                }
            }
        };
        kinds.extend(own.iter().map(|(name, value)| (*name, value.kind())));
        known.extend(own);
        let mut after_wrong: Vec<usize> = Vec::new();
        for before in layout.reads(at).iter().filter_map(|name| judged.get(layout.producer(name)?)) {
            after_wrong.extend(before.is_wrong().then_some(before.node.index));
            after_wrong.extend(&before.after_wrong);
        }
        after_wrong.sort_unstable();
        after_wrong.dedup();
        judged.push(NodeJudgement { node: layout.place(at), together_with, outcome, after_wrong });
    }
    Ok(judged)
}

/// Returns whether a node is a `Constant`, which gives the same value for all inputs of the model.
fn is_constant(node: &NodeProto) -> bool {
    node.op_type.as_deref() == Some("Constant")
}

//! Judges the outputs that an implementation gave for a model, and each node on the intermediate values.

use std::collections::HashMap;

use plumbline_judge::{FailKind, Judgement, Verdict};
use plumbline_oracle::{Oracle, Stopped};
use plumbline_tensor::onnx::{GraphProto, ValueInfoProto};
use plumbline_tensor::{Model, Value, ValueKind};

use super::error::JudgeError;
use super::given::Values;
use super::locate::{judge_nodes, judge_values};
use super::report::{ModelJudgement, NodeJudgement, NodeOutcome, OutputJudgement, is_accepted};
use crate::cases::Layout;

/// Judges the outputs that an implementation gave for a model and its inputs. The policy of `reference` says which
/// arithmetic the implementation declares; [`Oracle::default`] is for one that declares nothing.
///
/// # Errors
/// Fails if there is no right answer (the number of inputs or outputs is wrong, the model is invalid) or if the oracle
/// has none. The error names the node if it is about one.
pub fn judge(
    reference: &Oracle,
    model: &Model,
    inputs: &[Value],
    outputs: &[Value],
) -> Result<ModelJudgement, JudgeError> {
    judge_with_values(reference, model, inputs, outputs, &Values::default())
}

/// Does the same as [`judge`], and judges each node alone on `values`, the intermediate values that the implementation
/// computed. The verdict is on the outputs and on the nodes: a wrong value fails even if a later node hides it.
///
/// If the oracle cannot compute the outputs from the inputs (the model exceeds a limit, or a value that determines a
/// shape is not certain), each output takes its judgement from the node that computes it.
///
/// # Errors
/// Fails as [`judge`] does, unless the judgements of the nodes decide whether the outputs are right. Also fails if no
/// file of a folder of values belongs to the model, or if a file that belongs to it cannot be read.
pub fn judge_with_values(
    reference: &Oracle,
    model: &Model,
    inputs: &[Value],
    outputs: &[Value],
    values: &Values,
) -> Result<ModelJudgement, JudgeError> {
    let names = model.output_names();
    check_count("inputs", inputs.len(), model.input_names().len())?;
    check_count("outputs", outputs.len(), names.len())?;
    let layout = Layout::new(model);
    let unknown: Vec<String> = values.names().filter(|name| !layout.has_value(name)).map(str::to_owned).collect();
    if let Some(folder) = values.folder()
        && unknown.len() == values.names().count()
    {
        return Err(JudgeError::NoValues { path: folder.to_owned() });
    }
    let is_traced = values.names().next().is_some();
    let from_inputs = match reference.evaluate_located(model, inputs) {
        Ok(evaluation) => Ok(judge_values(reference, (model, inputs), evaluation, &names, outputs)),
        // A model that is refused before its first node runs has no node that could be judged.
        Err(stopped) if is_traced && stopped.node.is_some() => Err(stopped),
        Err(stopped) => return Err(JudgeError::stopped(&layout, stopped)),
    };
    let mut nodes = Vec::new();
    if is_traced {
        let all = values.with(names.iter().copied().zip(outputs.iter().cloned()));
        let given = model.input_names().into_iter().zip(inputs.iter().cloned()).collect();
        nodes = judge_nodes(reference, &layout, given, &all, &declared_kinds(model.graph()))?;
    }
    let accuracy = reference.accuracy().to_owned();
    let (whole, outputs, by_nodes) = match from_inputs {
        Ok((whole, outputs)) => (whole, outputs, None),
        Err(stopped) => {
            let (whole, outputs) = outputs_by_nodes(&layout, &names, &nodes, stopped.clone())?;
            (whole, outputs, Some(JudgeError::stopped(&layout, stopped).to_string()))
        }
    };
    let mut judgement = ModelJudgement {
        verdict: whole.verdict,
        kind: whole.kind,
        detail: whole.detail(),
        accuracy,
        outputs,
        by_nodes,
        nodes,
        unknown_values: unknown,
    };
    conclude(&mut judgement);
    Ok(judgement)
}

/// Includes the verdicts on the nodes in the verdict on the model, which covers only the outputs so far.
pub(super) fn conclude(judgement: &mut ModelJudgement) {
    let are_outputs_right = is_accepted(judgement.verdict);
    let Some(first) = judgement.first_at_fault() else {
        let is_latitude = judgement.nodes.iter().any(|node| node.verdict() == Some(Verdict::Latitude));
        if judgement.verdict == Verdict::Pass && is_latitude {
            let detail = judgement.nodes.iter().find_map(|node| match &node.outcome {
                NodeOutcome::Judged { verdict: Verdict::Latitude, detail, .. } => {
                    Some(format!("{}: {}", node.node, detail.as_deref().unwrap_or("left open")))
                }
                _ => None,
            });
            (judgement.verdict, judgement.detail) = (Verdict::Latitude, detail);
        }
        return;
    };
    let said = match &first.outcome {
        NodeOutcome::Judged { detail, .. } => detail.as_deref().unwrap_or("its value is wrong"),
        NodeOutcome::NotJudged { reason } => reason,
    };
    let hidden = if are_outputs_right { "; the outputs of the model are accepted nevertheless" } else { "" };
    let together = match first.together_with.len() {
        0 => "",
        1 => ", or the node before it whose value is not given,",
        _ => ", or one of the nodes before it whose values are not given,",
    };
    let what = if first.is_inaccurate() { "is the first that is inaccurate" } else { "is the first to go wrong" };
    let detail = format!("{}{together} {what}: {said}{hidden}", first.node);
    let kind = first.kind();
    // The outputs together may be wrong although each of them, and each node, is at most inaccurate.
    let is_wrong = judgement.kind.is_some_and(|kind| kind != FailKind::Inaccurate) && first.is_inaccurate();
    judgement.kind = if is_wrong { judgement.kind } else { kind };
    (judgement.verdict, judgement.detail) = (Verdict::Fail, Some(detail));
}

/// Takes the judgement of each output from the node that computes it. Also returns the worst of these judgements.
fn outputs_by_nodes(
    layout: &Layout,
    names: &[&str],
    nodes: &[NodeJudgement],
    stopped: Stopped,
) -> Result<(Judgement, Vec<OutputJudgement>), JudgeError> {
    let judged = |name: &&str| match &nodes.get(layout.producer(name)?)?.outcome {
        NodeOutcome::Judged { outputs, .. } => outputs.iter().find(|output| output.name == *name).cloned(),
        NodeOutcome::NotJudged { .. } => None,
    };
    let outputs: Vec<OutputJudgement> = names.iter().filter_map(judged).collect();
    let worst = outputs.iter().map(|output| &output.judgement).max_by_key(|judgement| severity(judgement));
    let is_wrong = nodes.iter().any(NodeJudgement::is_wrong);
    match worst {
        Some(worst) if is_wrong || outputs.len() == names.len() => Ok((worst.clone(), outputs)),
        None if is_wrong => Ok((Judgement::not_run("its outputs were not judged"), outputs)),
        _ => Err(JudgeError::stopped(layout, stopped)),
    }
}

fn severity(judgement: &Judgement) -> u8 {
    match (judgement.verdict, judgement.kind) {
        (Verdict::Pass, _) => 0,
        (Verdict::Latitude, _) => 1,
        (_, Some(FailKind::Inaccurate)) => 2,
        _ => 3,
    }
}

fn check_count(what: &'static str, found: usize, expected: usize) -> Result<(), JudgeError> {
    if found == expected { Ok(()) } else { Err(JudgeError::Count { what, found, expected }) }
}

/// Returns the types that a graph declares for its intermediate values and outputs.
pub(super) fn declared_kinds(graph: &GraphProto) -> HashMap<&str, ValueKind> {
    let kind = |info: &ValueInfoProto| ValueKind::from_proto(info.r#type.as_ref()?);
    let infos = graph.value_info.iter().chain(&graph.output);
    infos.filter_map(|info| Some((info.name.as_deref()?, kind(info)?))).collect()
}

/// Returns the types of the model's outputs: those that the model declares or, if it does not declare all of them,
/// those that the oracle computes. They are needed to read files with outputs.
///
/// # Errors
/// Fails if the number of inputs is wrong, or if the model does not declare all types and the oracle has no answer.
pub fn output_kinds(reference: &Oracle, model: &Model, inputs: &[Value]) -> Result<Vec<ValueKind>, JudgeError> {
    check_count("inputs", inputs.len(), model.input_names().len())?;
    let declared = declared_kinds(model.graph());
    let names = model.output_names();
    let all: Option<Vec<ValueKind>> = names.iter().map(|name| declared.get(name).cloned()).collect();
    match all {
        Some(kinds) => Ok(kinds),
        None => match reference.evaluate_located(model, inputs) {
            Ok(evaluation) => Ok(evaluation.outputs.iter().map(|operand| operand.kind()).collect()),
            Err(stopped) => Err(JudgeError::stopped(&Layout::new(model), stopped)),
        },
    }
}

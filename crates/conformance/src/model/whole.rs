//! Judges the outputs that an implementation gave for a model, and each node on the intermediate values.

use plumbline_judge::{FailKind, Judgement, Verdict};
use plumbline_oracle::{Budget, Limit, Oracle, Refusal, Stopped};

use plumbline_tensor::{Model, Value, ValueKind};

use super::effort::Effort;
use super::error::JudgeError;
use super::given::Values;
use super::locate::{JudgedNodes, Nodes, incomplete, judge_values};
use super::report::{ModelJudgement, NodeJudgement, NodeOutcome, OutputJudgement, is_accepted};
use crate::cases::{Layout, declared_kinds, value_kinds};

/// How many steps the outputs may take from the inputs on if the nodes were judged as well. The interval that is accepted
/// grows with each node, so that the outputs of a longer chain may have nearly any value. Nodes that took more steps than
/// this on the values that they had are not computed again from the inputs on.
pub const MOST_STEPS_OF_CHAIN: u64 = 1 << 28;

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
/// If the oracle cannot compute the outputs from the inputs (a value that determines a shape is not certain, or the nodes
/// take more steps than [`MOST_STEPS_OF_CHAIN`]), each output takes its judgement from the node that computes it.
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
    judge_watched(reference, model, inputs, outputs, values, &Effort::default())
}

/// Does the same as [`judge_with_values`]. `effort` says what it may take, and receives the progress; the limits of
/// `reference` are those of each computation.
///
/// # Errors
/// Fails as [`judge_with_values`] does.
pub fn judge_watched(
    reference: &Oracle,
    model: &Model,
    inputs: &[Value],
    outputs: &[Value],
    values: &Values,
    effort: &Effort,
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
    let mut nodes = JudgedNodes::default();
    if values.names().next().is_some() {
        // A model that is refused before its first node runs has no node that could be judged.
        plumbline_graph::names::check(model)
            .map_err(|refusal| JudgeError::stopped(&layout, reference.budget(), Stopped { refusal, node: None }))?;
        let all = values.with(names.iter().copied().zip(outputs.iter().cloned()));
        let kinds = value_kinds(model);
        let given = model.input_names().into_iter().zip(inputs.iter().cloned()).collect();
        let every = Nodes { reference, layout: &layout, inputs: given, kinds: &kinds };
        effort.watch.nodes(layout.nodes().len());
        let found = every.judge(0..layout.nodes().len(), &all, effort)?;
        nodes = every.conclude(found);
    }
    let mut judgement = judge_outputs(reference, (model, &layout), inputs, outputs.to_vec(), nodes, effort)?;
    judgement.unknown_values = unknown;
    Ok(judgement)
}

/// Judges the outputs of a model whose nodes have been judged, and concludes the judgement. Without judgements of nodes,
/// the outputs are always judged from the inputs.
pub(super) fn judge_outputs(
    reference: &Oracle,
    (model, layout): (&Model, &Layout),
    inputs: &[Value],
    outputs: Vec<Value>,
    judged: JudgedNodes,
    effort: &Effort,
) -> Result<ModelJudgement, JudgeError> {
    let names = model.output_names();
    // What is accepted at the end of a long chain says little, and takes as long as all nodes together.
    let chain = Budget { steps: reference.budget().steps.min(MOST_STEPS_OF_CHAIN), ..*reference.budget() };
    let beyond = judged.beyond(chain.steps);
    let nodes = judged.nodes;
    let incomplete = incomplete(&nodes);
    let oracle = if nodes.is_empty() { reference.clone() } else { reference.clone().with_budget(chain) };
    effort.watch.step("the outputs from the inputs");
    let stopped = |limit, message, node| Err(Stopped { refusal: Refusal::beyond(limit, message), node });
    let from_inputs = match (incomplete, beyond) {
        (Some(_), _) => stopped(Limit::Time, "the work ended before", None),
        (None, Some(at)) => stopped(Limit::Steps, "the nodes take too many steps one by one", Some(at)),
        (None, None) => oracle.evaluate_located(model, inputs),
    };
    let (whole, outputs, by_nodes) = match from_inputs {
        Ok(evaluation) => {
            let (whole, outputs) = judge_values(&oracle, (model, inputs), evaluation, &names, outputs);
            (whole, outputs, None)
        }
        // A model that is refused before its first node runs has no right answer.
        Err(stopped) if nodes.is_empty() || stopped.node.is_none() && incomplete.is_none() => {
            return Err(JudgeError::stopped(layout, oracle.budget(), stopped));
        }
        Err(stopped) => {
            let why = JudgeError::stopped(layout, oracle.budget(), stopped);
            let reason = why.to_string();
            let (whole, outputs) = outputs_by_nodes(layout, &names, &nodes, incomplete.is_some(), why)?;
            (whole, outputs, Some(reason))
        }
    };
    let accuracy = reference.accuracy().to_owned();
    let (verdict, kind, detail) = (whole.verdict, whole.kind, whole.detail());
    let unknown_values = vec![];
    let mut judgement =
        ModelJudgement { verdict, kind, detail, accuracy, outputs, by_nodes, nodes, unknown_values, incomplete };
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
        NodeOutcome::NotJudged { reason, .. } => reason,
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
    is_incomplete: bool,
    why: JudgeError,
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
        _ if is_incomplete => Ok((Judgement::not_run("the work ended before its outputs were judged"), outputs)),
        _ => Err(why),
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

/// Checks that there are as many outputs as the model has.
pub(super) fn check_outputs(outputs: &[Value], names: &[&str]) -> Result<(), JudgeError> {
    check_count("outputs", outputs.len(), names.len())
}

fn check_count(what: &'static str, found: usize, expected: usize) -> Result<(), JudgeError> {
    if found == expected { Ok(()) } else { Err(JudgeError::Count { what, found, expected }) }
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
            Err(stopped) => Err(JudgeError::stopped(&Layout::new(model), reference.budget(), stopped)),
        },
    }
}

//! What the failure of a graph comes from: a node that fails alone, or the backend's graph optimizer.

use std::collections::HashMap;
use std::time::Duration;

use plumbline_generator::{Case, Origin, value_info};
use plumbline_judge::{Right, Verdict};
use plumbline_oracle::Oracle;
use plumbline_tensor::onnx::{
    TensorShapeProtoDimension, TensorShapeProtoDimensionValue, TypeProtoValue, ValueInfoProto,
};
use plumbline_tensor::{Model, Value, ValueKind};

use crate::cases::{Layout, case_of_model, named_outputs};
use crate::examining::examine::{examine, examine_one};
use crate::examining::expected::right;
use crate::examining::intermediate::intermediate;
use crate::examining::packs::is_right;
use crate::examining::prepared::PreparedCase;
use crate::examining::repro::Failure;
use crate::examining::unfolded::unfolded;
use crate::results::OptimizerFault;
use crate::subjects::Subject;

/// How deep a node that is looked for may be inside of other nodes.
const DEEPEST: usize = 4;

/// Finds out what the failure of a graph comes from. If a node of the graph fails alone, on the values that it gets in a
/// right run, takes the failure of that node instead. Also says what the optimizer has to do with the failure.
pub(crate) fn blamed(subject: &Subject, failure: Failure, deadline: Duration) -> Failure {
    let is_graph = matches!(failure.case.origin, Origin::Graph { .. });
    if !is_graph || !failure.judgement.verdict.is_bad() || !matches!(failure.right, Right::Outputs { .. }) {
        return failure;
    }
    let mut failure = failure;
    let mut inside = Some((failure.case.model.clone(), failure.case.inputs.clone()));
    for _ in 0..DEEPEST {
        let found = inside.and_then(|(model, inputs)| of_one_node(subject, &failure, &model, &inputs, deadline));
        let Some(found) = found else { break };
        inside = unfolded(&found.case);
        failure = found;
    }
    Failure { optimizer: of_optimizer(subject, &failure, deadline), ..failure }
}

/// Runs each node of a model alone. Returns the failure of the first one that fails, or of one that fails in the same way
/// as the graph. A graph on which the backend crashes is not explained by a node with a wrong answer.
fn of_one_node(
    subject: &Subject,
    failure: &Failure,
    model: &Model,
    inputs: &[Value],
    deadline: Duration,
) -> Option<Failure> {
    let reference = Oracle::new(subject.policy.clone());
    let layout = Layout::new(model);
    let computed = intermediate(&reference, model, inputs);
    let given = model.input_names().into_iter().zip(inputs.iter().cloned());
    let mut values: HashMap<&str, Value> = given.collect();
    values.extend(computed.iter().map(|(name, operand)| (name.as_str(), operand.to_value())));
    let kinds: HashMap<&str, ValueKind> = values.iter().map(|(name, value)| (*name, value.kind())).collect();
    let alone = |at: usize, extents: Extents| {
        let node = &layout.nodes()[at];
        let names: Vec<&str> = named_outputs(node).filter(|name| kinds.contains_key(name)).collect();
        if names.is_empty() {
            return None;
        }
        let mut part = layout.part(at, &names, &kinds);
        if let Some(graph) = &mut part.model.proto.graph {
            let declared = |name: &str| Some(declaration(name, values.get(name)?, extents));
            graph.output = names.iter().filter_map(|name| declared(name)).collect();
            for info in &mut graph.input {
                if let Some(found) = declared(info.name.as_deref().unwrap_or_default()) {
                    *info = found;
                }
            }
        }
        let inputs = part.inputs.iter().map(|name| values.get(name.as_str()).cloned()).collect::<Option<Vec<_>>>()?;
        let case = case_of_model(failure.case.id.clone(), part.model, inputs, None);
        let case = Case { origin: failure.case.origin.clone(), ..case };
        let right = right(&reference, &case).ok().filter(|right| matches!(right, Right::Outputs { .. }))?;
        Some((PreparedCase::alone(case), right))
    };
    let wanted = (failure.judgement.verdict, failure.judgement.kind);
    let explains = |found: &Failure| match wanted.0 {
        Verdict::Fail => found.judgement.verdict.is_bad(),
        verdict => found.judgement.verdict == verdict,
    };
    let failing = |extents: Extents| {
        let parts: Vec<(PreparedCase, Right)> = (0..layout.nodes().len()).filter_map(|at| alone(at, extents)).collect();
        let asked: Vec<(&PreparedCase, &Right)> = parts.iter().map(|(prepared, right)| (prepared, right)).collect();
        let findings = examine(subject, &asked, deadline).into_iter().map(|finding| finding.failure);
        let mut failed: Vec<Failure> = findings.filter(explains).collect();
        let same = failed.iter().position(|found| (found.judgement.verdict, found.judgement.kind) == wanted);
        (!failed.is_empty()).then(|| failed.swap_remove(same.unwrap_or(0)))
    };
    failing(Extents::Known).or_else(|| has_unknown_extents(model).then(|| failing(Extents::Unknown)).flatten())
}

/// What the model of a node declares about the extents of its inputs and outputs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extents {
    Known,
    /// As they are inside of a model whose inputs have symbolic extents.
    Unknown,
}

/// Declares a value, always with its rank, which ONNX's IR asks for.
fn declaration(name: &str, value: &Value, extents: Extents) -> ValueInfoProto {
    let mut info = value_info(name, &value.kind(), value.as_tensor().map(|tensor| tensor.shape()));
    if extents == Extents::Unknown {
        dimensions(&mut info).iter_mut().for_each(|dimension| dimension.value = None);
    }
    info
}

fn dimensions(info: &mut ValueInfoProto) -> &mut [TensorShapeProtoDimension] {
    let type_ = info.r#type.as_mut().and_then(|type_| type_.value.as_mut());
    match type_ {
        Some(TypeProtoValue::TensorType(tensor)) => tensor.shape.as_mut().map_or(&mut [], |shape| &mut shape.dim),
        _ => &mut [],
    }
}

fn has_unknown_extents(model: &Model) -> bool {
    let is_known = |dimension: &TensorShapeProtoDimension| {
        matches!(dimension.value, Some(TensorShapeProtoDimensionValue::DimValue(_)))
    };
    model.graph().input.iter().any(|info| !dimensions(&mut info.clone()).iter().all(is_known))
}

/// Runs the graph without the optimizer and, if the backend is right then, looks for the passes that make the
/// difference: again and again, a part of them that is enough takes the place of all.
fn of_optimizer(subject: &Subject, failure: &Failure, deadline: Duration) -> Option<OptimizerFault> {
    let optimizer = subject.optimizer.as_ref()?;
    let is_right_without = |passes: &[String]| is_right_without(subject, passes, failure, deadline);
    if !is_right_without(&[]) {
        return None;
    }
    let all = &optimizer.passes;
    if all.is_empty() || !is_right_without(all) {
        return Some(OptimizerFault::default());
    }
    let mut passes = all.clone();
    while passes.len() > 1 {
        let half = passes.len().div_ceil(2);
        match passes.chunks(half).find(|part| is_right_without(part)) {
            Some(part) => passes = part.to_vec(),
            None => break,
        }
    }
    // Passes on both sides of the middle are needed together. Others may be among them.
    let mut at = 0;
    while passes.len() > 1 && at < passes.len() {
        let mut fewer = passes.clone();
        fewer.remove(at);
        if is_right_without(&fewer) { passes = fewer } else { at += 1 }
    }
    Some(OptimizerFault { passes })
}

/// Returns whether the failure is still one of the optimizer: without the passes that make the difference, the backend
/// answers the case correctly. True for a failure that has nothing to do with an optimizer.
pub(super) fn is_still_of_optimizer(subject: &Subject, first: &Failure, found: &Failure, deadline: Duration) -> bool {
    match &first.optimizer {
        Some(fault) => is_right_without(subject, &fault.passes, found, deadline),
        None => true,
    }
}

/// Returns whether the backend without these passes, or without its optimizer if there are none, answers a case
/// correctly.
fn is_right_without(subject: &Subject, passes: &[String], failure: &Failure, deadline: Duration) -> bool {
    let Some(variant) = subject.optimizer.as_ref().and_then(|optimizer| optimizer.without(passes)) else {
        return false;
    };
    let prepared = PreparedCase::alone(failure.case.clone());
    is_right(examine_one(&variant, &prepared, &failure.right, deadline).judgement())
}

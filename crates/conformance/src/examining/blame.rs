//! What the failure of a graph comes from: a node that fails alone, or the backend's graph optimizer.

use std::collections::HashMap;
use std::time::Duration;

use plumbline_generator::{Case, Origin, value_info};
use plumbline_judge::Right;
use plumbline_oracle::Oracle;
use plumbline_tensor::onnx::{
    TensorShapeProtoDimension, TensorShapeProtoDimensionValue, TypeProtoValue, ValueInfoProto,
};
use plumbline_tensor::{Model, Value, ValueKind};

use crate::cases::{Layout, case_of_model, named_outputs};
use crate::examining::examine::examine;
use crate::examining::expected::right;
use crate::examining::intermediate::intermediate;
use crate::examining::minimize::Budget;
use crate::examining::optimizer::{is_undecided_without, of_optimizer};
use crate::examining::prepared::PreparedCase;
use crate::examining::reduce::reduced;
use crate::examining::repro::Failure;
use crate::examining::rerun::{Further, Other};
use crate::examining::unfolded::unfolded;
use crate::subjects::Subject;

/// The limit for the search for a smaller graph that the backend can run without its optimizer.
const BUDGET: Budget = Budget { runs: 100, time: Duration::from_secs(10) };

/// How deep a node that is looked for may be inside of other nodes.
const DEEPEST: usize = 4;

/// Finds out what the failure of a graph comes from. If a node of the graph fails alone, on the values that it gets in a
/// right run, takes the failure of that node instead. Also says what the optimizer has to do with the failure. If the
/// backend has no kernel for a node, and only its optimizer fails before it says so, takes the failure of a smaller graph
/// without this node.
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
    let optimizer = of_optimizer(subject, &failure, deadline);
    if optimizer.is_none() && is_undecided_without(subject, &failure, deadline) {
        let smaller = reduced(subject, &failure, deadline, BUDGET, &|| false);
        let fault = smaller.as_ref().and_then(|smaller| of_optimizer(subject, smaller, deadline));
        if let (Some(smaller), Some(fault)) = (smaller, fault) {
            return Failure { optimizer: Some(fault), ..smaller };
        }
    }
    Failure { optimizer, ..failure }
}

/// Runs each node of a model alone. Returns the failure of the first one that fails, or of one that fails in the same way
/// as the graph. A graph on which the backend crashes is not explained by a node with a wrong answer, nor a wrong answer by a
/// node on which it crashes.
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
        let mut part = layout.part(at, &names, &mut |name| kinds.get(name).cloned());
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
        // If the session of the graph ran again, that of the node does, too.
        let again = Further { other: Other::Nothing, case: case.clone() };
        let further = if failure.further.is_empty() { vec![] } else { vec![again] };
        Some((PreparedCase::with_runs(case, further), right))
    };
    let wanted = (failure.judgement.verdict, failure.judgement.kind);
    let explains = |found: &Failure| found.judgement.verdict == wanted.0;
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

//! Changes of the node's outputs, of its version, and of the graph around it.

use plumbline_generator::{Choices, value_info};
use plumbline_spec::{Spec, canonical_domain};
use plumbline_tensor::onnx::{GraphProto, NodeProto, ValueInfoProto};
use plumbline_tensor::{DType, Tensor, ValueKind, tensor_to_proto};

use super::attributes::pick;
use crate::cases::proto;
use crate::cases::scene::{IR_OF_FREE_INITIALIZERS, Scene};

/// Leaves out an output of the node.
pub(super) fn output_left_out(scene: &mut Scene, choices: &mut Choices) -> Option<String> {
    let graph = scene.graph_mut()?;
    if graph.output.len() < 2 {
        return None;
    }
    let dropped = graph.output.remove(choices.below(graph.output.len() as u64) as usize).name?;
    let node = graph.node.last_mut()?;
    node.output.iter_mut().filter(|name| **name == dropped).for_each(String::clear);
    while node.output.last().is_some_and(String::is_empty) {
        node.output.pop();
    }
    Some(format!("output {dropped} left out"))
}

/// Adds an output after the last one.
pub(super) fn output_added(scene: &mut Scene, _: &mut Choices) -> Option<String> {
    let graph = scene.graph_mut()?;
    let name = "one_more_output".to_owned();
    let mut declared = graph.output.last()?.clone();
    declared.name = Some(name.clone());
    graph.output.push(declared);
    graph.node.last_mut()?.output.push(name);
    Some("an output added".to_owned())
}

/// Runs the model with the opset of another version of the operator. Everything else stays as it is.
pub(super) fn moved_to_another_opset(scene: &mut Scene, choices: &mut Choices) -> Option<String> {
    let id = &scene.version.id;
    let operator = Spec::embedded().operator(&id.domain, &id.name)?;
    let at = operator.versions.iter().position(|version| version.since() == id.since)?;
    let neighbours: Vec<usize> = [at.checked_sub(1), Some(at + 1)].into_iter().flatten().collect();
    let version = operator.versions.get(*pick(&neighbours, choices)?)?;
    let imports = &mut scene.model.proto.opset_import;
    let import = imports.iter_mut().find(|i| canonical_domain(i.domain.as_deref().unwrap_or("")) == id.domain)?;
    import.version = Some(i64::from(version.since()));
    let told = format!("{id} -> {}", version.id);
    scene.version = version;
    Some(told)
}

/// Puts the node into both branches of an `If` whose condition is true.
pub(super) fn in_if(scene: &mut Scene, _: &mut Choices) -> Option<String> {
    let proto = &scene.model.proto;
    let has_if = proto.opset_import.iter().any(|i| canonical_domain(i.domain.as_deref().unwrap_or("")) == "ai.onnx");
    if !has_if || proto.ir_version < Some(IR_OF_FREE_INITIALIZERS) {
        return None;
    }
    let graph = scene.graph_mut()?;
    let node = graph.node.pop()?;
    let branch = |name: &str, ending: &str| {
        let mut inner = node.clone();
        rename(&mut inner.output, ending);
        let output = graph.output.iter().cloned().map(|info| renamed(info, ending)).collect();
        proto::graph(name, GraphProto { node: vec![inner], output, ..GraphProto::default() })
    };
    let branches = vec![branch("then_branch", "_then"), branch("else_branch", "_else")];
    let condition = Tensor::from_i128s(DType::Bool, vec![], &[1]).ok()?;
    graph.initializer.push(tensor_to_proto(&condition, "condition"));
    let output = graph.output.iter().filter_map(|info| info.name.clone()).collect();
    graph.node.push(NodeProto {
        op_type: Some("If".to_owned()),
        input: vec!["condition".to_owned()],
        output,
        attribute: branches,
        ..NodeProto::default()
    });
    Some("the node is in an If".to_owned())
}

/// Adds the same node once more, with outputs of its own.
pub(super) fn twice(scene: &mut Scene, _: &mut Choices) -> Option<String> {
    let graph = scene.graph_mut()?;
    let mut node = graph.node.last()?.clone();
    rename(&mut node.output, "_again");
    let again: Vec<ValueInfoProto> = graph.output.iter().cloned().map(|info| renamed(info, "_again")).collect();
    graph.output.extend(again);
    graph.node.push(node);
    Some("the node is there twice".to_owned())
}

/// Runs the same node again on its first output, if that has the type of its first input.
pub(super) fn chained(scene: &mut Scene, _: &mut Choices) -> Option<String> {
    let kind = scene.input(0)?.kind();
    let graph = scene.graph_mut()?;
    let declared = graph.output.first()?.r#type.as_ref().and_then(ValueKind::from_proto)?;
    let mut node = graph.node.last()?.clone();
    let first = node.output.first().filter(|name| !name.is_empty())?.clone();
    if declared != kind {
        return None;
    }
    *node.input.first_mut()? = first;
    rename(&mut node.output, "_next");
    graph.node.push(node);
    let outputs = std::mem::take(&mut graph.output);
    graph.output = outputs.into_iter().map(|info| renamed(info, "_next")).collect();
    Some("the node runs again on its own output".to_owned())
}

fn rename(names: &mut [String], ending: &str) {
    names.iter_mut().filter(|name| !name.is_empty()).for_each(|name| name.push_str(ending));
}

/// Returns the declaration of a value with another name, without its shape.
fn renamed(info: ValueInfoProto, ending: &str) -> ValueInfoProto {
    let name = format!("{}{ending}", info.name.as_deref().unwrap_or_default());
    match info.r#type.as_ref().and_then(ValueKind::from_proto) {
        Some(kind) => value_info(&name, &kind, None),
        None => ValueInfoProto { name: Some(name), ..info },
    }
}

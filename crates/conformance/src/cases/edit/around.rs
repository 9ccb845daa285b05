//! Changes of the outputs of a node, of the opset, and of the graph around the node.

use plumbline_generator::value_info;
use plumbline_spec::{Spec, canonical_domain};
use plumbline_tensor::onnx::{GraphProto, NodeProto, ValueInfoProto};
use plumbline_tensor::{DType, Tensor, ValueKind, tensor_to_proto};

use crate::cases::proto;
use crate::cases::scene::{IR_OF_FREE_INITIALIZERS, Scene, leave_out};

/// Removes an output of the model, and leaves it out of the node.
pub(super) fn without_output(scene: &mut Scene, name: &str) -> Option<()> {
    let graph = scene.graph_mut()?;
    graph.output.retain(|info| info.name.as_deref() != Some(name));
    let outputs = &mut graph.node.last_mut()?.output;
    while let Some(place) = outputs.iter().position(|output| output == name && !name.is_empty()) {
        leave_out(outputs, place)?;
    }
    Some(())
}

/// Adds an output after the last one.
pub(super) fn with_one_more_output(scene: &mut Scene) -> Option<()> {
    let graph = scene.graph_mut()?;
    let name = "one_more_output".to_owned();
    let mut declared = graph.output.last()?.clone();
    declared.name = Some(name.clone());
    graph.output.push(declared);
    graph.node.last_mut()?.output.push(name);
    Some(())
}

/// Runs the model with the opset of another version of the operator.
pub(super) fn with_opset_of(scene: &mut Scene, since: u32) -> Option<()> {
    let id = &scene.version.id;
    let version = Spec::embedded().operator(&id.domain, &id.name)?.version(since)?;
    let imports = &mut scene.model.proto.opset_import;
    let import = imports.iter_mut().find(|i| canonical_domain(i.domain.as_deref().unwrap_or("")) == id.domain)?;
    import.version = Some(i64::from(version.since()));
    scene.version = version;
    Some(())
}

/// Puts the node into both branches of an `If` whose condition is true.
pub(super) fn in_if(scene: &mut Scene) -> Option<()> {
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
    Some(())
}

/// Adds the same node once more, with outputs of its own.
pub(super) fn twice(scene: &mut Scene) -> Option<()> {
    let graph = scene.graph_mut()?;
    let mut node = graph.node.last()?.clone();
    rename(&mut node.output, "_again");
    let again: Vec<ValueInfoProto> = graph.output.iter().cloned().map(|info| renamed(info, "_again")).collect();
    graph.output.extend(again);
    graph.node.push(node);
    Some(())
}

/// Runs the same node again on its first output, if that has the type of its first input.
pub(super) fn chained(scene: &mut Scene) -> Option<()> {
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
    Some(())
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

//! What graphs have around and beside their nodes: equal nodes, branches, loops and functions.

use std::collections::HashMap;

use plumbline_generator::{Choices, value_info};
use plumbline_oracle::Oracle;
use plumbline_tensor::onnx::{AttributeProto, FunctionProto, GraphProto, NodeProto, ValueInfoProto};
use plumbline_tensor::{DType, Model, Tensor, tensor_to_proto};

use super::fragment::{Fragment, Given};
use super::sketch::{Drawn, Sketch};
use crate::cases::{Layout, named_outputs, renamed};

const GRAPH: i32 = 5;
/// One graph in this many has a node inside of an `If`, a `Loop` or a function.
const ONE_IN_SURROUNDED: u64 = 4;
/// The first IR version in which a model can hold functions of its own.
const IR_OF_FUNCTIONS: i64 = 8;
/// The domain of functions.
const DOMAIN: &str = "plumbline";

/// Adds a copy of a node, with outputs of its own.
pub(super) fn twice(sketch: &mut Sketch, choices: &mut Choices) {
    let at = choices.below(sketch.nodes.len() as u64) as usize;
    let Some(node) = sketch.nodes.get(at).cloned() else { return };
    let prefix = sketch.prefix();
    let mut copy = renamed(&node, &prefixed(&node, &prefix));
    copy.name = None;
    let features = vec!["equal nodes".to_owned()];
    sketch.add(Fragment { nodes: vec![copy], features, ..Fragment::default() });
}

/// Finishes a graph, and puts one of its nodes into an `If`, a `Loop` or a function in some of them.
pub(super) fn surrounded(sketch: &mut Sketch, outputs: &[String], choices: &mut Choices) -> Option<Drawn> {
    if choices.below(ONE_IN_SURROUNDED) == 0 {
        let at = choices.below(sketch.nodes.len() as u64) as usize;
        let (before, given, features) = (sketch.nodes.clone(), sketch.given.clone(), sketch.features.clone());
        let constants = sketch.initializers.clone();
        let function = match choices.below(3) {
            0 => in_if(sketch, at, choices).map(|()| None),
            1 => in_loop(sketch, at, choices).map(|()| None),
            _ => in_function(sketch, at).map(Some),
        };
        if let Some(function) = function {
            let mut drawn = sketch.finished(outputs);
            if let Some(function) = function {
                with_function(&mut drawn.model, function);
            }
            if Oracle::default().evaluate(&drawn.model, &drawn.inputs).is_ok() {
                return Some(drawn);
            }
        }
        (sketch.nodes, sketch.given, sketch.features, sketch.initializers) = (before, given, features, constants);
    }
    let drawn = sketch.finished(outputs);
    (!drawn.model.graph().output.is_empty()).then_some(drawn)
}

fn branch(name: &str, graph: GraphProto) -> AttributeProto {
    AttributeProto {
        name: Some(name.to_owned()),
        g: Some(Box::new(GraphProto { name: Some(name.to_owned()), ..graph })),
        r#type: Some(GRAPH),
        ..AttributeProto::default()
    }
}

/// Gives the graph a bool or an int64 of rank 0, as a constant or at run time.
fn scalar(sketch: &mut Sketch, dtype: DType, value: i64, constant: bool) -> Option<String> {
    let name = format!("{}c", sketch.prefix());
    let tensor = Tensor::from_i128s(dtype, vec![], &[i128::from(value)]).ok()?;
    sketch.given.push(Given { name: name.clone(), value: tensor.into(), constant });
    Some(name)
}

/// Returns a new name for each output of a node: its own behind a prefix.
fn prefixed(node: &NodeProto, prefix: &str) -> HashMap<String, String> {
    named_outputs(node).map(|name| (name.to_owned(), format!("{prefix}{name}"))).collect()
}

/// Returns the node with its outputs renamed, and the declarations of these outputs.
fn inner(sketch: &Sketch, node: &NodeProto, prefix: &str) -> Option<(NodeProto, Vec<ValueInfoProto>)> {
    let names = prefixed(node, prefix);
    let output = |name: &str| Some(value_info(names.get(name)?, &sketch.known(name)?.operand.kind(), None));
    let outputs = named_outputs(node).map(output).collect::<Option<_>>()?;
    Some((renamed(node, &names), outputs))
}

/// Puts a node into one branch of an `If`, or into both.
fn in_if(sketch: &mut Sketch, at: usize, choices: &mut Choices) -> Option<()> {
    let node = sketch.nodes.get(at)?.clone();
    let (known, holds) = (choices.below(2) == 0, choices.below(2) as i64);
    let condition = scalar(sketch, DType::Bool, holds, known)?;
    let part = |name: &str, prefix: &str| {
        let (node, output) = inner(sketch, &node, prefix)?;
        Some(branch(name, GraphProto { node: vec![node], output, ..GraphProto::default() }))
    };
    let attribute = vec![part("then_branch", "then_")?, part("else_branch", "else_")?];
    sketch.nodes[at] = NodeProto {
        op_type: Some("If".to_owned()),
        input: vec![condition],
        output: named_outputs(&node).map(str::to_owned).collect(),
        attribute,
        ..NodeProto::default()
    };
    let how = if known { "a constant condition" } else { "a condition at run time" };
    sketch.features.insert(format!("a node in an If with {how}"));
    Some(())
}

/// Puts a node into a `Loop` whose trips all compute the same.
fn in_loop(sketch: &mut Sketch, at: usize, choices: &mut Choices) -> Option<()> {
    let node = sketch.nodes.get(at)?.clone();
    let (body, computed) = inner(sketch, &node, "trip_")?;
    let trips = 1 + choices.below(3) as i64;
    let known = choices.below(2) == 0;
    let count = scalar(sketch, DType::Int64, trips, known)?;
    let holds = scalar(sketch, DType::Bool, 1, true)?;
    let prefix = sketch.prefix();
    let mut graph = GraphProto { node: vec![body], ..GraphProto::default() };
    let info = |name: String, dtype: DType| value_info(&name, &plumbline_tensor::ValueKind::Tensor(dtype), Some(&[]));
    graph.input = vec![info(format!("{prefix}i"), DType::Int64), info(format!("{prefix}holds"), DType::Bool)];
    graph.output = vec![info(format!("{prefix}holds_out"), DType::Bool)];
    graph.node.push(NodeProto {
        op_type: Some("Identity".to_owned()),
        input: vec![format!("{prefix}holds")],
        output: vec![format!("{prefix}holds_out")],
        ..NodeProto::default()
    });
    let mut input = vec![count, holds];
    for (place, (name, output)) in named_outputs(&node).zip(computed).enumerate() {
        let value = sketch.known(name)?.operand.to_value();
        let tensor = value.as_tensor()?;
        let start = format!("{prefix}start{place}");
        let zeros = Tensor::zeros(tensor.dtype(), tensor.shape().to_vec()).ok()?;
        sketch.initializers.push(tensor_to_proto(&zeros, &start));
        graph.input.push(value_info(&format!("{prefix}carried{place}"), &value.kind(), None));
        graph.output.push(output);
        input.push(start);
    }
    sketch.nodes[at] = NodeProto {
        op_type: Some("Loop".to_owned()),
        input,
        output: named_outputs(&node).map(str::to_owned).collect(),
        attribute: vec![branch("body", graph)],
        ..NodeProto::default()
    };
    sketch.features.insert("a node in a Loop".to_owned());
    Some(())
}

/// Puts a node into a function of the model.
fn in_function(sketch: &mut Sketch, at: usize) -> Option<FunctionProto> {
    let node = sketch.nodes.get(at)?.clone();
    let mut input: Vec<String> = Vec::new();
    let model = Model {
        proto: plumbline_tensor::onnx::ModelProto {
            graph: Some(GraphProto { node: vec![node.clone()], ..GraphProto::default() }),
            ..Default::default()
        },
    };
    Layout::new(&model).reads(0).iter().for_each(|name| input.push((*name).to_owned()));
    // A nested graph of a function may read only what the function itself has.
    let output: Vec<String> = named_outputs(&node).map(str::to_owned).collect();
    let function = FunctionProto {
        name: Some("Part".to_owned()),
        domain: Some(DOMAIN.to_owned()),
        input: input.clone(),
        output: output.clone(),
        node: vec![node],
        opset_import: sketch.menu.imports.clone(),
        ..FunctionProto::default()
    };
    sketch.nodes[at] = NodeProto {
        op_type: Some("Part".to_owned()),
        domain: Some(DOMAIN.to_owned()),
        input,
        output,
        ..NodeProto::default()
    };
    sketch.features.insert("a node in a function".to_owned());
    Some(function)
}

fn with_function(model: &mut Model, function: FunctionProto) {
    let proto = &mut model.proto;
    proto.ir_version = proto.ir_version.max(Some(IR_OF_FUNCTIONS));
    proto
        .opset_import
        .push(plumbline_tensor::onnx::OperatorSetIdProto { domain: Some(DOMAIN.to_owned()), version: Some(1) });
    proto.functions.push(function);
}

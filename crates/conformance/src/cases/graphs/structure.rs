//! What graphs have around and beside their nodes: equal nodes, branches, loops and functions.

use std::collections::{BTreeSet, HashMap};

use plumbline_generator::{Choices, value_info};
use plumbline_graph::domain_of;
use plumbline_oracle::Oracle;
use plumbline_tensor::onnx::{
    AttributeProto, FunctionProto, GraphProto, NodeProto, OperatorSetIdProto, ValueInfoProto,
};
use plumbline_tensor::{DType, Model, Tensor, ValueKind, tensor_to_proto};

use super::control::{Condition, OTHER_SHAPES, SCAN, condition};
use super::fit::{castable, fitted};
use super::fragment::{Fragment, Given};
use super::sketch::{Drawn, Known, Sketch};
use crate::cases::proto::{graph, int};
use crate::cases::{named_outputs, reads, renamed};

/// One graph in this many has a node inside of an `If`, a `Loop`, a `Scan` or a function.
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

/// Finishes a graph, and puts one of its nodes into an `If`, a `Loop`, a `Scan` or a function in some of them.
pub(super) fn surrounded(sketch: &mut Sketch, outputs: &[String], choices: &mut Choices) -> Option<Drawn> {
    if choices.below(ONE_IN_SURROUNDED) == 0 {
        let at = choices.below(sketch.nodes.len() as u64) as usize;
        let (before, given, features) = (sketch.nodes.clone(), sketch.given.clone(), sketch.features.clone());
        let constants = sketch.initializers.clone();
        let function = match choices.below(5) {
            0 => in_if(sketch, at, choices).map(|()| None),
            1 => in_if_with_other_nodes(sketch, at, choices).map(|()| None),
            2 => in_loop(sketch, at, choices).map(|()| None),
            3 => in_scan(sketch, at, choices).map(|()| None),
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

/// Returns the node that computes the outputs of another one by graphs in its attributes.
fn around(node: &NodeProto, operator: &str, input: Vec<String>, attribute: Vec<AttributeProto>) -> NodeProto {
    NodeProto {
        op_type: Some(operator.to_owned()),
        input,
        output: named_outputs(node).map(str::to_owned).collect(),
        attribute,
        ..NodeProto::default()
    }
}

/// Puts a node into both branches of an `If`.
fn in_if(sketch: &mut Sketch, at: usize, choices: &mut Choices) -> Option<()> {
    let node = sketch.nodes.get(at)?.clone();
    let (known, holds) = (choices.below(2) == 0, choices.below(2) as i64);
    let condition = scalar(sketch, DType::Bool, holds, known)?;
    let part = |name: &str, prefix: &str| {
        let (node, output) = inner(sketch, &node, prefix)?;
        Some(graph(name, GraphProto { node: vec![node], output, ..GraphProto::default() }))
    };
    let branches = vec![part("then_branch", "then_")?, part("else_branch", "else_")?];
    sketch.nodes[at] = around(&node, "If", vec![condition], branches);
    let how = if known { "a constant condition" } else { "a condition at run time" };
    sketch.features.insert(format!("a node in an If with {how}"));
    Some(())
}

/// Puts a node into the branch of an `If` that is taken. The other branch makes values of the same types and ranks out of
/// earlier values.
fn in_if_with_other_nodes(sketch: &mut Sketch, at: usize, choices: &mut Choices) -> Option<()> {
    let node = sketch.nodes.get(at)?.clone();
    let late: BTreeSet<&str> = sketch.nodes[at..].iter().flat_map(named_outputs).collect();
    let early: Vec<Known> =
        sketch.usable().into_iter().filter(|known| !late.contains(known.name.as_str())).cloned().collect();
    let prefix = sketch.prefix();
    let Condition { name, holds, part } = condition(&early.iter().collect::<Vec<_>>(), &prefix, choices)?;
    let holds = match holds {
        Some(holds) => holds,
        None => {
            let computed = sketch.computed(&part).ok()?;
            computed.values.last()?.1.to_value().as_tensor()?.i128_at(0) != 0
        }
    };
    let (node_inside, output) = inner(sketch, &node, "taken_")?;
    let taken = GraphProto { node: vec![node_inside], output, ..GraphProto::default() };
    let mut other = GraphProto::default();
    for (place, output) in named_outputs(&node).enumerate() {
        let tensor = sketch.known(output)?.tensor()?;
        let (dtype, mut shape) = (tensor.dtype(), tensor.shape().to_vec());
        if sketch.menu.opset >= OTHER_SHAPES && choices.below(2) == 1 {
            shape.iter_mut().for_each(|extent| *extent += 1);
        }
        let source = early.get(choices.below(early.len() as u64) as usize)?;
        let is_fitting = source.tensor().map(|t| t.dtype()) == Some(dtype) || castable(dtype);
        let (mut fit, from) =
            fitted(sketch, source, dtype, &shape, &format!("{prefix}{place}_"), choices).filter(|_| is_fitting)?;
        let name = format!("other_{output}");
        let operator = if signed(dtype) { ["Neg", "Abs", "Identity"][choices.below(3) as usize] } else { "Identity" };
        other.node.append(&mut fit.nodes);
        other.initializer.append(&mut fit.initializers);
        other.output.push(value_info(&name, &ValueKind::Tensor(dtype), None));
        other.node.push(NodeProto {
            op_type: Some(operator.to_owned()),
            input: vec![from],
            output: vec![name],
            ..NodeProto::default()
        });
    }
    let unread = Fragment { nodes: other.node.clone(), initializers: other.initializer.clone(), ..Fragment::default() };
    // The oracle computes only the branch that is taken.
    sketch.computed(&unread).ok()?;
    let (then, otherwise) = if holds { (taken, other) } else { (other, taken) };
    let branches = vec![graph("then_branch", then), graph("else_branch", otherwise)];
    sketch.nodes[at] = around(&node, "If", vec![name], branches);
    sketch.nodes.splice(at..at, part.nodes);
    sketch.given.extend(part.given);
    sketch.initializers.extend(part.initializers);
    sketch.features.extend(part.features);
    sketch.features.insert("a node in an If with other nodes in the other branch".to_owned());
    Some(())
}

/// Returns whether `Neg` and `Abs` take a type in all opsets.
fn signed(dtype: DType) -> bool {
    matches!(dtype, DType::Float | DType::Double | DType::Float16 | DType::Int32 | DType::Int64)
}

/// A graph that computes a node anew in each trip, and carries its outputs. The values that it begins with are zeros.
struct Carried {
    graph: GraphProto,
    /// The names of the values that it begins with.
    start: Vec<String>,
}

/// Returns the graph of a `Loop` or `Scan` around a node, behind these inputs and outputs.
fn carried(
    sketch: &mut Sketch,
    node: &NodeProto,
    prefix: &str,
    input: Vec<ValueInfoProto>,
    output: Vec<ValueInfoProto>,
) -> Option<Carried> {
    let (inside, computed) = inner(sketch, node, "trip_")?;
    let mut carried =
        Carried { graph: GraphProto { node: vec![inside], input, output, ..GraphProto::default() }, start: vec![] };
    for (place, (name, output)) in named_outputs(node).zip(computed).enumerate() {
        let known = sketch.known(name)?;
        // By another reading the values may have other shapes, which the first trip then does not begin with.
        if sketch.has_readings() && !known.usable {
            return None;
        }
        let value = known.operand.to_value();
        let tensor = value.as_tensor()?;
        let (kind, shape) = (value.kind(), Some(tensor.shape()));
        let start = format!("{prefix}start{place}");
        let zeros = Tensor::zeros(tensor.dtype(), tensor.shape().to_vec()).ok()?;
        sketch.initializers.push(tensor_to_proto(&zeros, &start));
        carried.graph.input.push(value_info(&format!("{prefix}carried{place}"), &kind, shape));
        carried.graph.output.push(value_info(output.name.as_deref()?, &kind, shape));
        carried.start.push(start);
    }
    Some(carried)
}

/// Puts a node into a `Loop` whose trips all compute the same.
fn in_loop(sketch: &mut Sketch, at: usize, choices: &mut Choices) -> Option<()> {
    let node = sketch.nodes.get(at)?.clone();
    let trips = 1 + choices.below(3) as i64;
    let known = choices.below(2) == 0;
    let count = scalar(sketch, DType::Int64, trips, known)?;
    let holds = scalar(sketch, DType::Bool, 1, true)?;
    let prefix = sketch.prefix();
    let info = |name: &str, dtype: DType| value_info(&format!("{prefix}{name}"), &ValueKind::Tensor(dtype), Some(&[]));
    let inputs = vec![info("i", DType::Int64), info("holds", DType::Bool)];
    let mut carried = carried(sketch, &node, &prefix, inputs, vec![info("holds_out", DType::Bool)])?;
    carried.graph.node.push(identity(&format!("{prefix}holds"), &format!("{prefix}holds_out")));
    let input = [vec![count, holds], carried.start].concat();
    sketch.nodes[at] = around(&node, "Loop", input, vec![graph("body", carried.graph)]);
    sketch.features.insert("a node in a Loop".to_owned());
    Some(())
}

/// Puts a node into a `Scan` over a list of numbers, which are collected as they are.
fn in_scan(sketch: &mut Sketch, at: usize, choices: &mut Choices) -> Option<()> {
    if sketch.menu.opset < SCAN {
        return None;
    }
    let node = sketch.nodes.get(at)?.clone();
    let prefix = sketch.prefix();
    let over = format!("{prefix}over");
    let numbers: Vec<f32> = (0..=choices.below(3)).map(|number| number as f32).collect();
    let value = Tensor::from_f32s(vec![numbers.len()], &numbers).ok()?.into();
    sketch.given.push(Given { name: over.clone(), value, constant: choices.below(2) == 0 });
    let mut carried = carried(sketch, &node, &prefix, vec![], vec![])?;
    let info = |name: &str| value_info(&format!("{prefix}{name}"), &ValueKind::Tensor(DType::Float), Some(&[]));
    carried.graph.input.push(info("s"));
    carried.graph.output.push(info("seen"));
    carried.graph.node.push(identity(&format!("{prefix}s"), &format!("{prefix}seen")));
    let input = [carried.start, vec![over]].concat();
    let attributes = vec![graph("body", carried.graph), int("num_scan_inputs", 1)];
    let mut scan = around(&node, "Scan", input, attributes);
    scan.output.push(format!("{prefix}collected"));
    sketch.nodes[at] = scan;
    sketch.features.insert("a node in a Scan".to_owned());
    Some(())
}

fn identity(from: &str, to: &str) -> NodeProto {
    NodeProto {
        op_type: Some("Identity".to_owned()),
        input: vec![from.to_owned()],
        output: vec![to.to_owned()],
        ..NodeProto::default()
    }
}

/// Puts a node into a function of the model.
fn in_function(sketch: &mut Sketch, at: usize) -> Option<FunctionProto> {
    let node = sketch.nodes.get(at)?.clone();
    let input: Vec<String> = reads(&node).into_iter().map(str::to_owned).collect();
    let function = FunctionProto {
        name: Some("Part".to_owned()),
        domain: Some(DOMAIN.to_owned()),
        input: input.clone(),
        output: named_outputs(&node).map(str::to_owned).collect(),
        node: vec![node.clone()],
        opset_import: sketch.menu.imports.clone(),
        ..FunctionProto::default()
    };
    sketch.nodes[at] = NodeProto { domain: Some(DOMAIN.to_owned()), ..around(&node, "Part", input, vec![]) };
    sketch.features.insert("a node in a function".to_owned());
    Some(function)
}

fn with_function(model: &mut Model, function: FunctionProto) {
    let proto = &mut model.proto;
    proto.ir_version = proto.ir_version.max(Some(IR_OF_FUNCTIONS));
    proto.opset_import.push(OperatorSetIdProto { domain: Some(DOMAIN.to_owned()), version: Some(1) });
    // The model imports what its functions use as well.
    let used: BTreeSet<&str> =
        function.node.iter().flat_map(NodeProto::with_nested).map(|node| domain_of(&node.domain)).collect();
    for import in function.opset_import.iter().filter(|import| used.contains(domain_of(&import.domain))) {
        if !proto.opset_import.iter().any(|other| domain_of(&other.domain) == domain_of(&import.domain)) {
            proto.opset_import.push(import.clone());
        }
    }
    proto.functions.push(function);
}

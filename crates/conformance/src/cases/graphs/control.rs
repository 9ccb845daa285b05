//! Parts with `If`, `Loop` and `Scan` whose nested graphs compute with values of the graph around them.

use plumbline_generator::{Body, Choices, Values, tensor};
use plumbline_tensor::onnx::{GraphProto, NodeProto};
use plumbline_tensor::{DType, Tensor, ValueKind, tensor_to_proto};

use super::fit::fitted;
use super::fragment::{Fragment, Given};
use super::sketch::{Known, Sketch};
use crate::cases::proto::{graph, int, ints};

/// The element types that nested graphs compute with.
const TYPES: [DType; 5] = [DType::Float, DType::Double, DType::Float16, DType::Int32, DType::Int64];
/// The largest number of trips of a `Loop` or a `Scan`.
const MOST_TRIPS: usize = 5;
/// The first opset with a `Scan` without a batch axis, and the first with a `Less` of integers.
pub(super) const SCAN: u32 = 9;
const LESS_OF_INTEGERS: u32 = 9;
/// The first opset in which the branches of an `If` may have outputs of different shapes.
pub(super) const OTHER_SHAPES: u32 = 11;

/// Returns an `If`, a `Loop` or a `Scan` that computes with values of the graph. `None` if it has no value for it.
pub(super) fn part(sketch: &mut Sketch, choices: &mut Choices) -> Option<Fragment> {
    let prefix = sketch.prefix();
    match choices.below(3) {
        0 => {
            let part = branched(sketch, &prefix, choices)?;
            // The oracle computes only the branch that is taken.
            let takes = |branch: Fragment| sketch.computed(&branch).is_ok();
            branches(&part).into_iter().all(takes).then_some(part)
        }
        1 => looped(sketch, &prefix, choices),
        _ => scanned(sketch, &prefix, choices),
    }
}

/// Returns each branch of the `If` at the end of a part, behind the other nodes of the part.
fn branches(part: &Fragment) -> Vec<Fragment> {
    let Some((last, before)) = part.nodes.split_last() else { return vec![] };
    let with = |branch: &GraphProto| Fragment {
        nodes: [before, &branch.node[..]].concat(),
        initializers: [&part.initializers[..], &branch.initializer[..]].concat(),
        ..part.clone()
    };
    last.nested().map(with).collect()
}

/// A condition with the nodes that compute it.
pub(super) struct Condition {
    pub name: String,
    /// Whether it holds; `None` if it is computed.
    pub holds: Option<bool>,
    pub part: Fragment,
}

/// Draws a condition: given, or computed from the size or from the elements of one of these values.
pub(super) fn condition(values: &[&Known], prefix: &str, choices: &mut Choices) -> Option<Condition> {
    let name = format!("{prefix}c");
    let mut part = Fragment::default();
    let floats = |known: &&&Known| known.tensor().is_some_and(|tensor| tensor.dtype() == DType::Float);
    let sized: Vec<&&Known> = values.iter().filter(|known| known.tensor().is_some()).collect();
    let floats: Vec<&&Known> = values.iter().filter(floats).collect();
    let (limit, inner) = (format!("{prefix}limit"), format!("{prefix}of"));
    let computed =
        |operator: &str, of: &Known, attribute| NodeProto { attribute, ..node(operator, &[&of.name], &inner) };
    let (first, compare, against) = match choices.below(4) {
        2 if !sized.is_empty() => {
            let of = sized[choices.below(sized.len() as u64) as usize];
            let size = of.tensor()?.len() as i64 + choices.below(2) as i64;
            (computed("Size", of, vec![]), "Equal", Tensor::from_i64(size))
        }
        3 if !floats.is_empty() => {
            let of = floats[choices.below(floats.len() as u64) as usize];
            let against = Tensor::from_f32s(vec![], &[0.5]).ok()?;
            (computed("ReduceMax", of, vec![int("keepdims", 0)]), "Greater", against)
        }
        _ => {
            let holds = choices.below(2) == 1;
            let value = Tensor::from_i128s(DType::Bool, vec![], &[i128::from(holds)]).ok()?;
            part.given.push(Given { name: name.clone(), value: value.into(), constant: choices.below(2) == 0 });
            return Some(Condition { name, holds: Some(holds), part });
        }
    };
    part.nodes = vec![first, node(compare, &[&inner, &limit], &name)];
    part.initializers.push(tensor_to_proto(&against, &limit));
    part.features.push("a computed condition".to_owned());
    Some(Condition { name, holds: None, part })
}

fn node(operator: &str, inputs: &[&str], output: &str) -> NodeProto {
    NodeProto {
        op_type: Some(operator.to_owned()),
        input: inputs.iter().map(|name| (*name).to_owned()).collect(),
        output: vec![output.to_owned()],
        ..NodeProto::default()
    }
}

/// Draws a value with which nested graphs can compute, of this element type if one is given.
fn source<'a>(sketch: &'a Sketch, of_type: Option<DType>, choices: &mut Choices) -> Option<&'a Known> {
    let fits = |known: &&Known| {
        let fits = |dtype: DType| of_type.map_or(TYPES.contains(&dtype), |wanted| wanted == dtype);
        known.tensor().is_some_and(|tensor| fits(tensor.dtype()))
    };
    let usable: Vec<&Known> = sketch.usable().into_iter().filter(fits).collect();
    usable.get(choices.below(usable.len() as u64) as usize).copied()
}

/// Returns a value of the graph that an operator takes beside a tensor of this type and shape, with the nodes that make
/// it fit.
fn beside(
    sketch: &Sketch,
    dtype: DType,
    shape: &[usize],
    prefix: &str,
    choices: &mut Choices,
) -> Option<(Fragment, String)> {
    let broadcasts = |other: &[usize]| {
        let pairs = other.iter().rev().zip(shape.iter().rev());
        other.len() <= shape.len() && pairs.into_iter().all(|(extent, wanted)| extent == wanted || *extent == 1)
    };
    let drawn =
        source(sketch, Some(dtype), choices).filter(|known| known.tensor().is_some_and(|t| broadcasts(t.shape())));
    match drawn {
        Some(known) => Some((Fragment::default(), known.name.clone())),
        None => fitted(sketch, source(sketch, None, choices)?, dtype, shape, prefix, choices),
    }
}

/// Adds one or two nodes that compute with a value of the nested graph and one of the graph around it.
fn arithmetic(body: Body, from: &str, beside: &str, to: &str, choices: &mut Choices) -> Body {
    let operator = ["Add", "Sub", "Mul"][choices.below(3) as usize];
    match choices.below(4) {
        0 => body.node(operator, &[from, beside], to),
        1 => body.node(operator, &[beside, from], to),
        unary => {
            let between = format!("{to}_between");
            let unary = if unary == 2 { "Neg" } else { "Abs" };
            body.node(unary, &[from], &between).node(operator, &[&between, beside], to)
        }
    }
}

/// An `If` with other nodes in each branch, of which one computes with a value that the other does not read.
fn branched(sketch: &Sketch, prefix: &str, choices: &mut Choices) -> Option<Fragment> {
    let name = |what: &str| format!("{prefix}{what}");
    let one = source(sketch, None, choices)?;
    let tensor = one.tensor()?;
    let (dtype, shape) = (tensor.dtype(), tensor.shape());
    let kind = ValueKind::Tensor(dtype);
    let (mut part, invariant) = beside(sketch, dtype, shape, &name("w"), choices)?;
    let mut condition = condition(&sketch.usable(), prefix, choices)?;
    let then = arithmetic(Body::new("then_branch"), &one.name, &invariant, &name("then"), choices);
    let then = then.output(&name("then"), &kind, None);
    // Values of the same rank stay as they are, if branches may have outputs of different shapes.
    let may_differ = sketch.menu.opset >= OTHER_SHAPES;
    let fits = |other: &[usize]| if may_differ { other.len() == shape.len() } else { other == shape };
    let like = |known: &&Known| known.tensor().is_some_and(|tensor| fits(tensor.shape()));
    let (mut inner, from) = match source(sketch, Some(dtype), choices).filter(like) {
        Some(other) => (Fragment::default(), other.name.clone()),
        None => fitted(sketch, source(sketch, None, choices)?, dtype, shape, &name("e"), choices)?,
    };
    let unary = ["Neg", "Abs", "Identity"][choices.below(3) as usize];
    let mut other =
        Body::new("else_branch").node(unary, &[&from], &name("else")).output(&name("else"), &kind, None).build();
    other.node.splice(0..0, inner.nodes.drain(..));
    part.initializers.append(&mut inner.initializers);
    let branches = [then.attribute("then_branch"), graph("else_branch", other)];
    let input = std::mem::take(&mut condition.name);
    let mut part = part.behind(condition.part);
    let node = NodeProto { attribute: branches.to_vec(), ..node("If", &[&input], &name("y")) };
    part.nodes.push(node);
    part.features.push("an If with other nodes in each branch".to_owned());
    Some(part)
}

/// Returns the declared shape of a value in a nested graph: none, or all extents.
fn declared<'a>(shape: &'a [usize], choices: &mut Choices) -> Option<&'a [usize]> {
    (choices.below(2) == 0).then_some(shape)
}

/// A `Loop` that carries a value, computes with a value of the graph around it in each trip, and collects another. The
/// trips are given, or computed from the shape of a value.
fn looped(sketch: &Sketch, prefix: &str, choices: &mut Choices) -> Option<Fragment> {
    let name = |what: &str| format!("{prefix}{what}");
    let start = source(sketch, None, choices)?;
    let tensor = start.tensor()?;
    let (dtype, shape) = (tensor.dtype(), tensor.shape());
    let kind = ValueKind::Tensor(dtype);
    let (mut part, invariant) = beside(sketch, dtype, shape, &name("w"), choices)?;
    let trips = name("trips");
    let short = |known: &&Known| known.tensor().is_some_and(|t| t.shape().first().is_some_and(|&n| n <= MOST_TRIPS));
    let shapes: Vec<&Known> = sketch.usable().into_iter().filter(short).collect();
    match shapes.get(choices.below(2 * shapes.len() as u64) as usize) {
        Some(of) => {
            let (all, zero) = (name("shape"), name("zero"));
            part.initializers.push(tensor_to_proto(&Tensor::from_i64(0), &zero));
            part.nodes.extend([node("Shape", &[&of.name], &all), node("Gather", &[&all, &zero], &trips)]);
            part.features.push("a computed number of trips".to_owned());
        }
        None => {
            let value = Tensor::from_i64(1 + choices.below(MOST_TRIPS as u64 - 1) as i64).into();
            part.given.push(Given { name: trips.clone(), value, constant: false });
        }
    }
    let flag = ValueKind::Tensor(DType::Bool);
    let mut holds = String::new();
    if choices.below(2) == 0 {
        holds = name("holds");
        let value = Tensor::from_i128s(DType::Bool, vec![], &[1]).ok()?.into();
        part.given.push(Given { name: holds.clone(), value, constant: choices.below(2) == 0 });
    }
    let [trip, goes, state, again, next, seen] = ["i", "goes", "state", "again", "next", "seen"].map(name);
    let mut body = Body::new("body")
        .input(&trip, &ValueKind::Tensor(DType::Int64), Some(&[]))
        .input(&goes, &flag, Some(&[]))
        .input(&state, &kind, declared(shape, choices));
    body = if sketch.menu.opset >= LESS_OF_INTEGERS && choices.below(3) == 0 {
        let last = name("last");
        part.initializers.push(tensor_to_proto(&Tensor::from_i64(choices.below(3) as i64), &last));
        part.features.push("a Loop that may end early".to_owned());
        body.node("Less", &[&trip, &last], &again)
    } else {
        body.node("Identity", &[&goes], &again)
    };
    body = arithmetic(body, &state, &invariant, &next, choices);
    body = match choices.below(3) {
        0 => body.node("Identity", &[&state], &seen),
        1 => body.node("Neg", &[&next], &seen),
        _ => {
            let step = name("step");
            let to = vec![int("to", dtype as i64)];
            body.node_with("Cast", &[&trip], &step, to).node("Add", &[&next, &step], &seen)
        }
    };
    let body = body.output(&again, &flag, Some(&[])).output(&next, &kind, None).output(&seen, &kind, None);
    let mut looped = node("Loop", &[&trips, &holds, &start.name], &name("y"));
    looped.output.push(name("z"));
    looped.attribute.push(body.attribute("body"));
    part.nodes.push(looped);
    part.features.push("a Loop that reads a value of the graph around it".to_owned());
    Some(part)
}

/// A `Scan` over a value, which carries a state and computes with a value of the graph around it.
fn scanned(sketch: &Sketch, prefix: &str, choices: &mut Choices) -> Option<Fragment> {
    let name = |what: &str| format!("{prefix}{what}");
    let over = source(sketch, None, choices)?;
    let (dtype, mut slice) = (over.tensor()?.dtype(), over.tensor()?.shape().to_vec());
    let rank = slice.len();
    let axis = choices.below(rank as u64) as usize;
    if sketch.menu.opset < SCAN || slice.get(axis).is_none_or(|&trips| trips > MOST_TRIPS) {
        return None;
    }
    slice.remove(axis);
    let kind = ValueKind::Tensor(dtype);
    let (mut part, invariant) = beside(sketch, dtype, &slice, &name("w"), choices)?;
    let like = |known: &&Known| known.tensor().is_some_and(|t| t.shape() == slice);
    let start = match source(sketch, Some(dtype), choices).filter(like) {
        Some(known) => known.name.clone(),
        None => {
            let value = tensor(choices, dtype, &slice, Values::Moderate).into();
            part.given.push(Given { name: name("start"), value, constant: false });
            name("start")
        }
    };
    let [state, seen, backwards, computed, next, collected] = ["state", "s", "backwards", "t", "next", "e"].map(name);
    let mut body = Body::new("body").input(&state, &kind, declared(&slice, choices)).input(&seen, &kind, None);
    let (mut inputs, mut axes, mut directions) = (vec![start.as_str(), &over.name], vec![axis as i64], vec![0]);
    directions[0] = choices.below(2) as i64;
    let twice = choices.below(4) == 0;
    if twice {
        inputs.push(&over.name);
        axes.push(axis as i64);
        directions.push(1 - directions[0]);
        body = body.input(&backwards, &kind, None);
    }
    body = arithmetic(body, &seen, &invariant, &computed, choices);
    let second = if twice { &backwards } else { &computed };
    body = match choices.below(4) {
        0 => body.node("Identity", &[second], &next),
        1 => body.node("Sub", &[second, &state], &next),
        _ => body.node("Add", &[&state, second], &next),
    };
    body = match choices.below(3) {
        0 => body.node("Identity", &[&computed], &collected),
        1 => body.node("Neg", &[&next], &collected),
        _ => body.node("Sub", &[&computed, &state], &collected),
    };
    // ONNX Runtime needs the shapes of these outputs, and cannot always infer them.
    let body = body.output(&next, &kind, Some(&slice)).output(&collected, &kind, Some(&slice));
    let mut scan = node("Scan", &inputs, &name("y"));
    scan.output.push(name("z"));
    scan.attribute = vec![body.attribute("body"), int("num_scan_inputs", axes.len() as i64)];
    scan.attribute.extend((axis > 0 || choices.below(2) == 0).then(|| ints("scan_input_axes", &axes)));
    scan.attribute.extend(directions.contains(&1).then(|| ints("scan_input_directions", &directions)));
    let to = choices.below(rank as u64) as i64;
    scan.attribute.extend((to > 0).then(|| ints("scan_output_axes", &[to])));
    scan.attribute.extend((choices.below(3) == 0).then(|| ints("scan_output_directions", &[1])));
    part.nodes.push(scan);
    part.features.push("a Scan that reads a value of the graph around it".to_owned());
    Some(part)
}

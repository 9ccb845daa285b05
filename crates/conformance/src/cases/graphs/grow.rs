//! Lets a graph grow part by part.

use std::collections::{BTreeMap, HashMap};

use plumbline_generator::Choices;
use plumbline_tensor::{DType, Tensor, Value};

use super::fit::fitted;
use super::fragment::{Fragment, Given};
use super::instance::{PREFIX, instance};
use super::menu::{Menu, newest, opsets};
use super::sketch::{Drawn, Known, Sketch};
use super::start::Start;
use super::structure;

/// The largest number of cases that are drawn for the part that a graph begins with.
const FIRST_TRIES: usize = 16;
/// The number of parts that are tried for each part that a graph should have.
const TRIES: usize = 4;
/// At most this many parts come before the one of the graph's own cell.
const BEFORE: u64 = 3;
/// At most this many nodes come behind a pattern.
const MOST_BEHIND_PATTERN: u64 = 4;
/// Once in this many times: a further input comes from the graph, an input is a constant, a value that other nodes read
/// is an output, a node is there twice, a part that reads nothing of the graph is added.
const ONE_IN_WIRED: u64 = 2;
const ONE_IN_CONSTANT: u64 = 3;
const ONE_IN_OUTPUTS: u64 = 6;
const ONE_IN_TWICE: u64 = 10;
const ONE_IN_APART: u64 = 12;

/// Draws a graph of about `count` nodes, with a node of this cell or with this pattern.
pub(super) fn grown(start: &Start, index: u64, count: usize, choices: &mut Choices) -> Option<Drawn> {
    let range = match start {
        Start::Cell(cell) => opsets(cell.version)?,
        Start::Pattern(pattern) => pattern.opsets(newest()),
    };
    // Older opsets are drawn more often: more backends read them.
    let span = u64::from(range.end().checked_sub(*range.start())?);
    let [one, other] = [0; 2].map(|_| choices.below(span + 1) as u32);
    let opset = range.start() + one.min(other);
    let menu = match start {
        Start::Cell(cell) => Menu::with(&cell.version.id, opset),
        Start::Pattern(pattern) => Menu::beside(&pattern.imports, opset),
    };
    let mut sketch = Sketch::new(menu);
    for _ in 0..choices.below(BEFORE) {
        one_more(&mut sketch, &[DType::Float], choices);
    }
    let grew = (0..FIRST_TRIES).any(|_| {
        let prefix = sketch.prefix();
        let part = match start {
            Start::Cell(cell) => Fragment::of_cell(cell, &prefix, choices),
            Start::Pattern(pattern) => instance(pattern, opset, index, choices).ok(),
        };
        part.is_some_and(|part| wired(&mut sketch, &part, &prefix, choices) || sketch.add(part))
    });
    if !grew {
        return None;
    }
    // A pattern has few nodes around it, so that optimizers find it as it is.
    let count = match start {
        Start::Cell(_) => count,
        Start::Pattern(_) => sketch.nodes.len() + choices.below(MOST_BEHIND_PATTERN) as usize,
    };
    for _ in 0..count * TRIES {
        if sketch.nodes.len() >= count {
            break;
        }
        let types: Vec<DType> = sketch.usable().into_iter().filter_map(|known| Some(known.tensor()?.dtype())).collect();
        one_more(&mut sketch, &types, choices);
        if choices.below(ONE_IN_TWICE) == 0 {
            structure::twice(&mut sketch, choices);
        }
    }
    constants(&mut sketch, choices);
    note(&mut sketch);
    let outputs = outputs(&mut sketch, choices);
    structure::surrounded(&mut sketch, &outputs, choices)
}

/// Adds a case of an operator that takes one of these element types, if that is possible.
fn one_more(sketch: &mut Sketch, types: &[DType], choices: &mut Choices) -> bool {
    let menu = sketch.menu.clone();
    let Some(cell) = menu.cell(types, choices) else { return false };
    let prefix = sketch.prefix();
    let Some(part) = Fragment::of_cell(&cell, &prefix, choices) else { return false };
    let apart = sketch.nodes.is_empty() || choices.below(ONE_IN_APART) == 0;
    wired(sketch, &part, &prefix, choices) || apart && sketch.add(part)
}

/// Adds a part whose inputs are values of the graph where possible. What comes first is simpler: values as they are, with
/// the other inputs in shapes that go with them; and values that are made to fit.
fn wired(sketch: &mut Sketch, part: &Fragment, prefix: &str, choices: &mut Choices) -> bool {
    // What a pattern has as a constant stays one.
    let is_wired = |given: &&Given| !given.constant && given.value.as_tensor().is_some();
    let tensors: Vec<&Given> = part.given.iter().filter(is_wired).collect();
    let Some(first) = tensors.first() else { return false };
    // A graph that a node holds declares the shapes of what it reads.
    let is_declared = part.nodes.iter().flat_map(crate::cases::nested).next().is_some();
    let mut to = HashMap::new();
    let mut sources: BTreeMap<String, Known> = BTreeMap::new();
    for given in &tensors {
        let is_first = given.name == first.name;
        let (Some(tensor), true) = (given.value.as_tensor(), is_first || choices.below(ONE_IN_WIRED) == 0) else {
            continue;
        };
        let source = source(sketch, tensor, choices);
        let fits = |known: &Known| known.tensor().is_some_and(|found| !is_declared || found.shape() == tensor.shape());
        if let Some(source) = source.filter(fits) {
            to.insert(given.name.clone(), source.name.clone());
            sources.insert(given.name.clone(), source);
        }
    }
    if !to.is_empty() {
        if sketch.add(part.wired(&to)) {
            return true;
        }
        if let Some(source) = sources.get(&first.name)
            && !is_declared
            && let Some(refitted) = resized(part, first, source)
        {
            let only = HashMap::from([(first.name.clone(), source.name.clone())]);
            if sketch.add(refitted.wired(&only)) {
                return true;
            }
        }
    }
    // Any value can be made to fit, also one of another type.
    let any = sources.remove(&first.name).or_else(|| {
        let usable = sketch.usable();
        let numeric = |known: &&&Known| known.tensor().is_some_and(|tensor| castable(tensor.dtype()));
        let numeric: Vec<&&Known> = usable.iter().filter(numeric).collect();
        let at = choices.below(numeric.len() as u64) as usize;
        numeric.get(at).map(|known| (**known).clone())
    });
    if let (Some(source), Some(tensor)) = (any, first.value.as_tensor())
        && (source.tensor().map(|t| t.dtype()) == Some(tensor.dtype()) || castable(tensor.dtype()))
        && let Some((adapter, name)) = fitted(sketch, &source, tensor.dtype(), tensor.shape(), prefix, choices)
    {
        let only = HashMap::from([(first.name.clone(), name)]);
        if sketch.add(part.wired(&only).behind(adapter)) {
            return true;
        }
    }
    false
}

/// Returns whether a node `Cast` may make other values of this type, and make this type out of them.
fn castable(dtype: DType) -> bool {
    matches!(
        dtype,
        DType::Float | DType::Double | DType::Float16 | DType::Int64 | DType::Int32 | DType::Bool | DType::Uint8
    )
}

/// Draws a value of the graph of the same element type, late ones and those of the same shape rather than others.
fn source(sketch: &Sketch, tensor: &Tensor, choices: &mut Choices) -> Option<Known> {
    let usable = sketch.usable();
    let of_type: Vec<&&Known> =
        usable.iter().filter(|known| known.tensor().is_some_and(|t| t.dtype() == tensor.dtype())).collect();
    let draw = |choices: &mut Choices| {
        let [one, other] = [0; 2].map(|_| choices.below(of_type.len() as u64) as usize);
        of_type.get(one.max(other)).copied()
    };
    let drawn = draw(choices)?;
    let is_like = |known: &Known| known.tensor().is_some_and(|t| t.shape() == tensor.shape());
    let chosen = if is_like(drawn) { drawn } else { draw(choices).filter(|known| is_like(known)).unwrap_or(drawn) };
    Some((**chosen).clone())
}

/// Returns the part with its other inputs in shapes that go with a value in place of one input: where an extent is that
/// of the input, it becomes that of the value. Their elements are repeated as needed.
fn resized(part: &Fragment, of: &Given, source: &Known) -> Option<Fragment> {
    let (before, after) = (of.value.as_tensor()?.shape(), source.tensor()?.shape());
    let mut part = part.clone();
    for given in part.given.iter_mut().filter(|given| given.name != of.name) {
        let Some(tensor) = given.value.as_tensor() else { continue };
        let shape: Vec<usize> = if tensor.shape() == before {
            after.to_vec()
        } else if before.len() == after.len() && tensor.rank() == before.len() {
            let extents = tensor.shape().iter().enumerate();
            extents.map(|(at, &extent)| if extent == before[at] { after[at] } else { extent }).collect()
        } else {
            continue;
        };
        if !tensor.is_empty() {
            given.value = Value::from(repeated(tensor, shape)?);
        }
    }
    Some(part)
}

/// Returns a tensor of another shape with the elements of this one, over and over.
fn repeated(tensor: &Tensor, shape: Vec<usize>) -> Option<Tensor> {
    let count: usize = shape.iter().product();
    let at = |index: usize| index % tensor.len();
    match tensor.dtype() {
        DType::String => {
            let strings = (0..count).map(|index| tensor.strings()[at(index)].clone()).collect();
            Tensor::from_strings(shape, strings).ok()
        }
        DType::Complex64 | DType::Complex128 => None,
        dtype => Tensor::from_bits(dtype, shape, (0..count).map(|index| tensor.bits_at(at(index)))).ok(),
    }
}

/// Makes some of what is given constant.
fn constants(sketch: &mut Sketch, choices: &mut Choices) {
    for given in sketch.given.iter_mut().filter(|given| !given.name.starts_with(PREFIX)) {
        given.constant = given.value.as_tensor().is_some() && choices.below(ONE_IN_CONSTANT) == 0;
    }
    if sketch.given.iter().all(|given| given.constant)
        && let Some(first) = sketch.given.first_mut()
    {
        first.constant = false;
    }
}

/// Draws the outputs: what no node reads, and some of what nodes read.
fn outputs(sketch: &mut Sketch, choices: &mut Choices) -> Vec<String> {
    let computed: Vec<&str> = sketch.nodes.iter().flat_map(crate::cases::named_outputs).collect();
    let mut outputs = Vec::new();
    let mut between = false;
    for name in computed {
        let Some(known) = sketch.known(name) else { continue };
        let of_nested = sketch.nodes.iter().flat_map(crate::cases::nested).any(|graph| reads(graph, name));
        if known.uses == 0 && !of_nested {
            outputs.push(name.to_owned());
        } else if choices.below(ONE_IN_OUTPUTS) == 0 {
            outputs.push(name.to_owned());
            between = true;
        }
    }
    if between {
        sketch.features.insert("a value between nodes is an output".to_owned());
    }
    outputs
}

fn reads(graph: &plumbline_tensor::onnx::GraphProto, name: &str) -> bool {
    let by_node = |node: &plumbline_tensor::onnx::NodeProto| {
        node.input.iter().any(|input| input == name) || crate::cases::nested(node).any(|graph| reads(graph, name))
    };
    graph.node.iter().any(by_node) || graph.output.iter().any(|info| info.name.as_deref() == Some(name))
}

/// Notes what the graph is like.
fn note(sketch: &mut Sketch) {
    let count = sketch.nodes.len();
    let size = match count {
        0..=4 => "2 to 4 nodes",
        5..=8 => "5 to 8 nodes",
        9..=16 => "9 to 16 nodes",
        _ => "more than 16 nodes",
    };
    let same =
        |inputs: &[String]| inputs.iter().enumerate().any(|(at, name)| !name.is_empty() && inputs[..at].contains(name));
    let several = sketch.values.iter().any(|known| known.uses > 1);
    let twice = sketch.nodes.iter().any(|node| same(&node.input));
    let mut features = vec![size.to_owned(), format!("opset {}", sketch.menu.opset)];
    features.extend(several.then(|| "a value with several readers".to_owned()));
    features.extend(twice.then(|| "one value as two inputs".to_owned()));
    features.extend(sketch.given.iter().any(|given| given.constant).then(|| "constants".to_owned()));
    features.extend(sketch.nodes.iter().filter_map(|node| Some(format!("operator {}", node.op_type.as_deref()?))));
    sketch.features.extend(features);
}

//! Lets a graph grow part by part.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use plumbline_generator::Choices;
use plumbline_graph::domain_of;
use plumbline_tensor::onnx::NodeProto;
use plumbline_tensor::{DType, Tensor, Value};

use super::control;
use super::fit::{castable, fitted};
use super::fragment::{Fragment, Given};
use super::instance::{self, PREFIX, instance};
use super::menu::{ML, Menu, import_of, newest, opset_beside, opsets};
use super::sketch::{Drawn, Known, Sketch};
use super::start::Core;
use super::structure;
use crate::cases::{named_outputs, reads};

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
/// One graph in this many has an `If`, a `Loop` or a `Scan` that computes with its values.
const ONE_IN_CONTROL: u64 = 8;
/// One graph in this many may have operators of `ai.onnx.ml`.
const ONE_IN_MIXED: u64 = 8;

/// Draws a graph of about `count` nodes, with a node of this cell or with this pattern.
pub(super) fn grown(core: Core, index: u64, count: usize, choices: &mut Choices) -> Option<Drawn> {
    let mut broken = None;
    let opsets: Vec<u32> = match core {
        Core::Cell(cell) => opsets(cell.version)?.collect(),
        Core::Pattern(pattern) => {
            broken = instance::broken(pattern, index, choices);
            let can_break = |opset: &u32| broken.is_none_or(|guard| pattern.guards(*opset).contains(&guard));
            pattern.opsets(newest()).filter(can_break).collect()
        }
    };
    // Older opsets are drawn more often: more backends read them.
    let [one, other] = [0; 2].map(|_| choices.below(opsets.len() as u64) as usize);
    let opset = *opsets.get(one.min(other))?;
    let mut imports = match core {
        Core::Cell(cell) => import_of(&cell.version.id, opset).into_iter().collect(),
        Core::Pattern(pattern) => pattern.imports.clone(),
    };
    if choices.below(ONE_IN_MIXED) == 0 && imports.iter().all(|(domain, _)| domain != ML) {
        imports.extend(opset_beside(ML, opset).map(|version| (ML.to_owned(), version)));
    }
    let mut sketch = Sketch::new(Menu::beside(&imports, opset));
    for _ in 0..choices.below(BEFORE) {
        one_more(&mut sketch, &[DType::Float], choices);
    }
    let grew = (0..FIRST_TRIES).any(|_| {
        let prefix = sketch.prefix();
        let part = match core {
            Core::Cell(cell) => Fragment::of_cell(cell, &prefix, choices),
            Core::Pattern(pattern) => instance(pattern, opset, broken, choices).ok(),
        };
        part.is_some_and(|part| wired(&mut sketch, &part, &prefix, choices) || sketch.add(part))
    });
    if !grew {
        return None;
    }
    // A pattern has few nodes around it, so that optimizers find it as it is.
    let count = match core {
        Core::Cell(_) => count,
        Core::Pattern(_) => sketch.nodes.len() + choices.below(MOST_BEHIND_PATTERN) as usize,
    };
    let mut control = choices.below(ONE_IN_CONTROL) == 0;
    for _ in 0..count * TRIES {
        if sketch.nodes.len() >= count {
            break;
        }
        if control && choices.below(2) == 0 {
            control = !control::part(&mut sketch, choices).is_some_and(|part| sketch.add(part));
            continue;
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
    // Nested graphs declare the shapes of what they compute with.
    let keeps_shapes = part.nodes.iter().any(|node| node.nested().next().is_some());
    let mut to = HashMap::new();
    let mut sources: BTreeMap<String, Known> = BTreeMap::new();
    for given in &tensors {
        let is_first = given.name == first.name;
        let (Some(tensor), true) = (given.value.as_tensor(), is_first || choices.below(ONE_IN_WIRED) == 0) else {
            continue;
        };
        let source = source(sketch, tensor, choices);
        let fits = |known: &Known| !keeps_shapes || known.tensor().is_some_and(|t| t.shape() == tensor.shape());
        if let Some(source) = source.filter(fits) {
            to.insert(given.name.clone(), source.name.clone());
            sources.insert(given.name.clone(), source);
        }
    }
    if !to.is_empty() {
        if sketch.add(part.wired(&to)) {
            return true;
        }
        if let Some(source) = sources.get(&first.name).filter(|_| !keeps_shapes)
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
    let computed: Vec<&str> = sketch.nodes.iter().flat_map(named_outputs).collect();
    let mut outputs = Vec::new();
    let mut between = false;
    for name in computed {
        let Some(known) = sketch.known(name) else { continue };
        if known.uses == 0 {
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

/// Returns the names of a node's outputs with its domain.
fn outputs_with_domain(node: &NodeProto) -> impl Iterator<Item = (&str, &str)> {
    named_outputs(node).map(|name| (name, domain_of(&node.domain)))
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
    let constants = sketch.given.iter().filter(|given| given.constant).map(|given| given.name.as_str());
    let constants: BTreeSet<&str> =
        constants.chain(sketch.initializers.iter().filter_map(|tensor| tensor.name.as_deref())).collect();
    let folded = |node: &NodeProto| !node.input.is_empty() && reads(node).iter().all(|name| constants.contains(name));
    features.extend((!constants.is_empty()).then(|| "constants".to_owned()));
    features.extend(sketch.nodes.iter().any(folded).then(|| "a node that reads only constants".to_owned()));
    let of_domain: BTreeMap<&str, &str> = sketch.nodes.iter().flat_map(outputs_with_domain).collect();
    let between = |node: &NodeProto| {
        reads(node).iter().any(|name| of_domain.get(name).is_some_and(|of| *of != domain_of(&node.domain)))
    };
    features.extend(sketch.nodes.iter().any(between).then(|| "a value goes from one domain to another".to_owned()));
    features.extend(sketch.nodes.iter().filter_map(|node| Some(format!("operator {}", node.op_type.as_deref()?))));
    sketch.features.extend(features);
}

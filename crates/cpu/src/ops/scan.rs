//! Scan, which runs a body on consecutive slices of its inputs.

use super::axes::axis_from;
use super::control::{array, gathered, same_types};
use super::layout::pieces;
use crate::array::{Array, Held};
use crate::body::Body;
use crate::node::{Node, Operator, Outputs};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[("Scan", scan)];

/// Returns an attribute that is a list of `count` numbers, or zeros if it is left out.
fn list(node: &Node, name: &str, count: usize) -> Result<Vec<i64>, Refusal> {
    match node.ints(name) {
        Some(list) if list.len() != count => {
            Err(Refusal::invalid(format!("`{name}` is {list:?}, expected {count} numbers")))
        }
        Some(list) => Ok(list.to_vec()),
        None => Ok(vec![0; count]),
    }
}

/// Returns which inputs or outputs are scanned backwards.
fn directions(node: &Node, name: &str, count: usize) -> Result<Vec<bool>, Refusal> {
    let list = list(node, name, count)?;
    match list.iter().all(|direction| [0, 1].contains(direction)) {
        true => Ok(list.iter().map(|&direction| direction == 1).collect()),
        false => Err(Refusal::invalid(format!("`{name}` is {list:?}, expected 0 or 1 for each direction"))),
    }
}

/// Returns the slice at this index of an axis, without that axis.
fn single(data: &Array, axis: usize, at: usize) -> Result<Array, Refusal> {
    let mut shape = data.shape().to_vec();
    shape.remove(axis);
    array(&pieces(data, axis, &[1], at)?[0])?.reshaped(&shape)
}

/// The scanned inputs with their axes and directions, and the body.
struct Scanned<'a> {
    arrays: Vec<Array>,
    axes: Vec<usize>,
    backwards: Vec<bool>,
    body: &'a dyn Body,
}

impl Scanned<'_> {
    /// Runs all steps. Returns the final states, and the elements of each scan output in the order of the steps.
    fn run(&self, mut states: Vec<Held>, steps: usize) -> Result<(Vec<Held>, Vec<Vec<Held>>), Refusal> {
        let mut gathering = vec![Vec::new(); self.body.outputs().len() - states.len()];
        for step in 0..steps {
            let mut inputs = states.clone();
            for ((array, &axis), &backwards) in self.arrays.iter().zip(&self.axes).zip(&self.backwards) {
                inputs.push(single(array, axis, if backwards { steps - 1 - step } else { step })?.into());
            }
            let mut outputs = self.body.run(&inputs)?;
            let elements = outputs.split_off(states.len());
            same_types(&states, &outputs)?;
            for (before, after) in states.iter().zip(&outputs) {
                if array(before)?.shape() != array(after)?.shape() {
                    return Err(Refusal::invalid("a state variable changes its shape"));
                }
            }
            states = outputs;
            gathering.iter_mut().zip(elements).for_each(|(all, element)| all.push(element));
        }
        Ok((states, gathering))
    }
}

fn scan(node: &Node) -> Outputs {
    let body = node.body("body")?;
    // In version 8 the first input has the lengths of the sequences.
    let first = usize::from(node.since() < 9);
    let held = (first..node.inputs().len()).map(|at| node.held(at).cloned()).collect::<Result<Vec<_>, _>>()?;
    let scanned = node.int("num_scan_inputs");
    let scanned = usize::try_from(scanned).ok().filter(|n| (1..=held.len()).contains(n));
    let scanned = scanned.ok_or_else(|| {
        Refusal::invalid(format!(
            "`num_scan_inputs` is not between 1 and {}, the number of states and scan inputs",
            held.len()
        ))
    })?;
    let (states, arrays) = held.split_at(held.len() - scanned);
    let (takes, gives) = (body.inputs().len(), body.outputs().len());
    if takes != held.len() || gives < states.len() || gives != node.output_places() {
        return Err(Refusal::invalid(format!(
            "the body has {takes} inputs and {gives} outputs, which do not fit a node with {} states, {scanned} scan \
             inputs and {} outputs",
            states.len(),
            node.output_places()
        )));
    }
    let arrays = arrays.iter().map(|held| array(held).cloned()).collect::<Result<Vec<_>, _>>()?;
    if node.since() < 9 {
        return of_batches(node, body, states, &arrays);
    }
    let axis_of = |(&at, array): (&i64, &Array)| axis_from(node.since() >= 11, at, array.rank());
    let axes = list(node, "scan_input_axes", scanned)?;
    let axes = axes.iter().zip(&arrays).map(axis_of).collect::<Result<Vec<_>, _>>()?;
    let backwards = directions(node, "scan_input_directions", scanned)?;
    let steps = arrays[0].shape()[axes[0]];
    if arrays.iter().zip(&axes).any(|(array, &axis)| array.shape()[axis] != steps) {
        return Err(Refusal::invalid("the scan inputs have different extents along their axes"));
    }
    let outputs = gives - states.len();
    let prepends = directions(node, "scan_output_directions", outputs)?;
    let output_axes = list(node, "scan_output_axes", outputs)?;
    if node.since() < 11 && output_axes.iter().any(|&axis| axis < 0) {
        return Err(Refusal::invalid(format!(
            "`scan_output_axes` is {output_axes:?}, but this version does not allow negative axes"
        )));
    }
    let declared = &body.outputs()[states.len()..];
    let (mut found, gathering) = Scanned { arrays, axes, backwards, body }.run(states.to_vec(), steps)?;
    for (at, mut elements) in gathering.into_iter().enumerate() {
        if prepends[at] {
            elements.reverse();
        }
        found.extend(gathered(&elements, &declared[at], output_axes[at])?);
    }
    Ok(found)
}

/// Returns the lengths of the sequences in a batch. If the input `sequence_lens` is left out, all are `longest`.
fn lengths(node: &Node, batch: usize, longest: usize) -> Result<Vec<usize>, Refusal> {
    let Some(given) = node.optional(0)? else { return Ok(vec![longest; batch]) };
    let length = |&n: &i64| usize::try_from(n).ok().filter(|&n| n <= longest);
    let lengths: Option<Vec<usize>> = given.slice::<i64>().iter().map(length).collect();
    let lengths = lengths.filter(|_| given.shape() == [batch]);
    lengths.ok_or_else(|| {
        Refusal::invalid(format!(
            "`sequence_lens` of shape {:?} is not a list of {batch} lengths in [0, {longest}]",
            given.shape()
        ))
    })
}

/// Computes Scan-8, in which tensors have a batch axis in front of the scanned axis. The outputs of shorter sequences
/// are filled up with zeros.
fn of_batches(node: &Node, body: &dyn Body, states: &[Held], arrays: &[Array]) -> Outputs {
    let states = states.iter().map(array).collect::<Result<Vec<_>, _>>()?;
    let &[batch, longest, ..] = arrays[0].shape() else {
        return Err(Refusal::invalid(format!(
            "a scan input has shape {:?}, expected rank 2 or more",
            arrays[0].shape()
        )));
    };
    let alike = arrays.iter().all(|array| array.shape().starts_with(&[batch, longest]));
    if !alike || states.iter().any(|state| state.shape().first() != Some(&batch)) {
        return Err(Refusal::invalid("the inputs have different numbers of batches or steps"));
    }
    let backwards = directions(node, "directions", arrays.len())?;
    let mut batches = Vec::with_capacity(batch);
    for (number, steps) in lengths(node, batch, longest)?.into_iter().enumerate() {
        let own =
            states.iter().map(|state| Ok(single(state, 0, number)?.into())).collect::<Result<Vec<_>, Refusal>>()?;
        let scanned = Scanned {
            arrays: arrays.iter().map(|array| single(array, 0, number)).collect::<Result<_, _>>()?,
            axes: vec![0; arrays.len()],
            backwards: backwards.clone(),
            body,
        };
        batches.push(scanned.run(own, steps)?);
    }
    // A sequence without steps has no elements of its own. The zeros that fill up its outputs take their type and shape
    // from the elements of another sequence.
    let of_any_batch = |at: usize| batches.iter().find_map(|(_, gathering)| gathering[at].first());
    let count = batches.first().map_or(0, |(_, gathering)| gathering.len());
    let fillings = (0..count).map(|at| match of_any_batch(at) {
        Some(Held::Array(one)) => Ok(Some(Held::from(Array::zeros(one.dtype(), one.shape())?))),
        _ => Ok(None),
    });
    let fillings = fillings.collect::<Result<Vec<Option<Held>>, Refusal>>()?;
    let mut found: Vec<Vec<Held>> = vec![Vec::with_capacity(batch); body.outputs().len()];
    for (ends, gathering) in batches {
        let mut rows = ends;
        for (mut elements, filling) in gathering.into_iter().zip(&fillings) {
            if let Some(filling) = filling {
                elements.resize(longest, filling.clone());
            }
            rows.extend(gathered(&elements, &body.outputs()[rows.len()], 0)?);
        }
        found.iter_mut().zip(rows).for_each(|(all, row)| all.push(row));
    }
    let whole = |(rows, declared)| gathered(rows, declared, 0);
    Ok(found.iter().map(Vec::as_slice).zip(body.outputs()).map(whole).collect::<Result<Vec<_>, _>>()?.concat())
}

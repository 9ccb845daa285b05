//! Draws up to two states and one or two scanned tensors, along any axes and in both directions. The sequences of a
//! batch of Scan-8 may have different lengths.

use plumbline_spec::TypeStr;
use plumbline_tensor::ValueKind;
use plumbline_tensor::onnx::AttributeProto;

use crate::body::{Body, takes};
use crate::declarations::attribute;
use crate::families::control_flow;
use crate::prelude::*;

const INPUTS: &str = "initial_state_and_scan_inputs";

const FLOAT: ValueKind = ValueKind::Tensor(DType::Float);

/// A tensor that the body sees in each step.
struct BodyInput {
    name: String,
    dtype: DType,
    shape: Vec<usize>,
}

fn kind(dtype: DType) -> ValueKind {
    ValueKind::Tensor(dtype)
}

fn dtype(draw: &mut Draw, first: bool) -> DType {
    let type_ = if first { draw.type_of("V") } else { control_flow::any_type(draw) };
    type_.leaf_dtype()
}

/// Draws a list of direction flags, and gives it as an attribute or leaves it out. Without the attribute, all flags are
/// 0.
fn directions(draw: &mut Draw, attribute: &str, count: usize, feature: &str) -> Vec<i64> {
    if !draw.give_attribute(attribute) {
        return vec![0; count];
    }
    let flags: Vec<i64> = (0..count).map(|_| draw.range(0..=1)).collect();
    if flags.contains(&1) {
        draw.feature(feature);
    }
    draw.ints_attribute(attribute, &flags);
    flags
}

/// Returns an axis as the case writes it. From version 11 on, half of the axes count from the back.
fn from_either_end(draw: &mut Draw, axis: usize, rank: usize) -> i64 {
    let back = draw.since() >= 11 && draw.flag();
    if back {
        draw.feature("axis from the back");
    }
    if back { axis as i64 - rank as i64 } else { axis as i64 }
}

pub fn scan(draw: &mut Draw) {
    let (opset, batched) = (draw.since(), draw.since() < 9);
    let length = match draw.is_large() {
        true => draw.many_iterations(),
        false => draw.choose(&[2, 1, 3, 4, 0, 7, 40]),
    };
    if length > 4 {
        draw.feature("many steps");
    }
    let batch = if batched { draw.range(1..=3) as usize } else { 0 };
    draw.set_cost(batch.max(1) * length.max(1));
    let lead: Vec<usize> = if batched { vec![batch] } else { vec![] };
    let (states, scanned) = (draw.range(0..=2) as usize, draw.range(1..=2) as usize);
    let mut lengths = vec![length as i64; batch];
    if batched && draw.give_input("sequence_lens") && length > 0 {
        lengths = (0..batch).map(|_| draw.range(1..=length as i64)).collect();
        draw.ints("sequence_lens", &lengths);
    }
    let shorter = lengths.iter().any(|&l| l < length as i64);
    if shorter {
        draw.feature("a shorter sequence");
    }
    let no_step = length == 0;
    if no_step {
        draw.feature("no step");
    }
    let mut body = Body::new("body");
    let mut seen: Vec<BodyInput> = Vec::new();
    let mut kinds = Vec::new();
    for at in 0..states + scanned {
        let dtype = dtype(draw, at == 0);
        let rank = if length > 4 { 2 } else { 3 };
        seen.push(BodyInput { name: format!("x{at}"), dtype, shape: draw.shape(0..=rank) });
    }
    for s in &seen[..states] {
        let tensor = draw.elements(s.dtype, &[&lead[..], &s.shape].concat(), Values::Any);
        draw.input(INPUTS, tensor);
    }
    let mut axes = Vec::new();
    let axes_given = draw.give_attribute("scan_input_axes");
    for s in &seen[states..] {
        let mut shape = [&lead[..], &s.shape].concat();
        let axis = if axes_given { draw.below(s.shape.len() + 1) } else { lead.len() };
        shape.insert(axis, length);
        axes.push(from_either_end(draw, axis, shape.len()));
        let tensor = draw.elements(s.dtype, &shape, Values::Any);
        draw.input(INPUTS, tensor);
    }
    if axes_given {
        draw.ints_attribute("scan_input_axes", &axes);
    }
    draw.int_attribute("num_scan_inputs", scanned as i64);
    if !batched {
        directions(draw, "scan_input_directions", scanned, "scanned from the back");
    } else if !shorter {
        directions(draw, "directions", scanned, "scanned from the back");
    }
    for (at, s) in seen.iter().enumerate() {
        let declared = (at < states || draw.flag()).then_some(s.shape.as_slice());
        body = body.input(&s.name, &kind(s.dtype), declared);
    }
    for (at, s) in seen[..states].iter().enumerate() {
        let (next, type_) = (format!("n{at}"), TypeStr::Tensor(s.dtype));
        // A state may add up the slices of a scanned input if these slices have the state's type and shape.
        let partner = seen[states..].iter().find(|o| o.dtype == s.dtype && o.shape == s.shape);
        body = match partner {
            Some(partner) if takes("Add", opset, &type_) && draw.flag() => {
                body.node("Add", &[&s.name, &partner.name], &next)
            }
            Some(partner) if draw.flag() => body.copy(opset, &type_, &partner.name, &next),
            _ if takes("Add", opset, &type_) && draw.flag() => body.node("Add", &[&s.name, &s.name], &next),
            _ => body.copy(opset, &type_, &s.name, &next),
        };
        body = body.output(&next, &kind(s.dtype), draw.flag().then_some(s.shape.as_slice()));
        kinds.push(kind(s.dtype));
    }
    let outputs = draw.range(i64::from(states == 0)..=2) as usize;
    let out_axes_given = draw.give_attribute("scan_output_axes");
    let mut out_axes = Vec::new();
    for k in 0..outputs {
        let at = draw.below(seen.len());
        let (s, out) = (&seen[at], format!("s{k}"));
        let type_ = TypeStr::Tensor(s.dtype);
        body = if draw.once_in(4) {
            draw.feature("a value around the body");
            let around = format!("around{k}");
            let tensor = draw.elements(s.dtype, &s.shape, Values::Any);
            draw.outer(&around, tensor);
            body.copy(opset, &type_, &around, &out)
        } else {
            body.copy(opset, &type_, &s.name, &out)
        };
        // If the body does not run, only this declaration says which shape the slices of the output have.
        let declared = (no_step || draw.flag()).then_some(s.shape.as_slice());
        body = body.output(&out, &kind(s.dtype), declared);
        let axis = if out_axes_given { draw.below(s.shape.len() + 1) } else { 0 };
        out_axes.push(from_either_end(draw, axis, s.shape.len() + 1));
        kinds.push(kind(s.dtype));
    }
    if out_axes_given {
        draw.ints_attribute("scan_output_axes", &out_axes);
    }
    directions(draw, "scan_output_directions", outputs, "put in front");
    draw.graph_attribute("body", body.build());
    draw.typed_outputs(kinds);
}

/// The error that is put into a plain Scan.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    Count(i64),
    Length,
    Body,
    Grows,
    None,
}

/// Gives a Scan with this fault. Apart from the fault, it adds one of two scanned float tensors to a state. Declines a
/// cell that binds a type other than float.
fn plain(draw: &mut Draw, fault: Fault) {
    if draw.type_of("V") != TypeStr::Tensor(DType::Float) {
        draw.decline();
    }
    let lead: Vec<usize> = if draw.since() < 9 { vec![2] } else { vec![] };
    draw.tensor(INPUTS, &[&lead[..], &[2]].concat(), Values::Moderate);
    for at in 0..2 {
        let length = if fault == Fault::Length { 3 + at } else { 3 };
        draw.tensor(INPUTS, &[&lead[..], &[length, 2]].concat(), Values::Moderate);
    }
    draw.int_attribute("num_scan_inputs", if let Fault::Count(count) = fault { count } else { 2 });
    let mut body = Body::new("body").input("sum", &FLOAT, None).input("a", &FLOAT, None).input("b", &FLOAT, None);
    if fault == Fault::Body {
        body = body.input("c", &FLOAT, None);
    }
    let axis = AttributeProto { i: Some(0), ..attribute("axis", 2) };
    body = match fault {
        Fault::Grows => body.node_with("Concat", &["sum", "a"], "next", vec![axis]),
        _ => body.node("Add", &["sum", "a"], "next"),
    };
    body = body.node("Identity", &["b"], "out").output("next", &FLOAT, None).output("out", &FLOAT, None);
    draw.graph_attribute("body", body.build());
    draw.typed_outputs(vec![FLOAT, FLOAT]);
}

pub fn num_scan_inputs_fits(draw: &mut Draw) {
    let count = draw.way_of(&[4, 0, -1, i64::MAX, i64::MIN]);
    plain(draw, Fault::Count(count));
}

pub fn scan_lengths_equal(draw: &mut Draw) {
    plain(draw, Fault::Length);
}

pub fn body_fits_node(draw: &mut Draw) {
    plain(draw, Fault::Body);
}

/// Gives a list with one element too many or too few for the scanned inputs.
pub fn lists_fit_scan_inputs(draw: &mut Draw) {
    plain(draw, Fault::None);
    let name = if draw.since() < 9 { "directions" } else { "scan_input_directions" };
    let name = if draw.since() >= 9 && draw.way(2) == 1 { "scan_input_axes" } else { name };
    let list: &[i64] = draw.way_of(&[&[0, 0, 0][..], &[0]]);
    draw.ints_attribute(name, list);
}

pub fn axes_in_range(draw: &mut Draw) {
    plain(draw, Fault::None);
    if draw.way(4) == 3 {
        let bad = draw.way_of(&[i64::MAX, i64::MIN]);
        return draw.ints_attribute("scan_output_axes", &[bad]);
    }
    let bad = draw.beyond(-2, 1);
    draw.ints_attribute("scan_input_axes", &[0, bad]);
}

pub fn directions_known(draw: &mut Draw) {
    plain(draw, Fault::None);
    let name = if draw.since() < 9 { "directions" } else { "scan_input_directions" };
    let bad = draw.way_of(&[2, -1]);
    draw.ints_attribute(name, &[0, bad]);
}

/// Gives a state that grows in each step.
pub fn iteration_shapes_equal(draw: &mut Draw) {
    plain(draw, Fault::Grows);
}

/// Gives a list that does not have one length for each sequence of the batch.
pub fn sequence_lens_shape_fits(draw: &mut Draw) {
    let lengths = draw.way_of(&[&[3, 3, 3][..], &[3]]);
    draw.ints("sequence_lens", lengths);
    plain(draw, Fault::None);
}

/// Gives a length that is out of range.
pub fn sequence_lens_in_range(draw: &mut Draw) {
    let lengths = draw.way_of(&[&[3, 4], &[3, -1], &[4, 3], &[-1, 3]]);
    draw.ints("sequence_lens", lengths);
    plain(draw, Fault::None);
}

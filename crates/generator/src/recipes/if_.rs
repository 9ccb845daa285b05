//! Draws branches that copy or add values of the enclosing graph, with outputs of different shapes and with another
//! If inside.

use plumbline_spec::TypeStr;
use plumbline_tensor::ValueKind;

use crate::body::{Body, takes};
use crate::declarations::kind_of;
use crate::families::control_flow;
use crate::prelude::*;

/// Draws a bool tensor of one element, with a rank of up to `ranks`.
fn flag(draw: &mut Draw, ranks: usize) -> Tensor {
    let (rank, value) = (draw.below(ranks + 1), draw.flag());
    Tensor::from_i128s(DType::Bool, vec![1; rank], &[i128::from(value)]).expect("a tensor of one element has one value")
}

/// Adds what a branch does with a value of the enclosing graph: it copies the value, or adds it to itself.
fn branch(draw: &mut Draw, body: Body, type_: &TypeStr, from: &str, to: &str) -> Body {
    let opset = draw.since();
    if takes("Add", opset, type_) && draw.flag() {
        draw.feature("a branch computes");
        return body.node("Add", &[from, from], to);
    }
    body.copy(opset, type_, from, to)
}

/// Adds an If inside a branch. Its branches use values from outside of both Ifs.
fn nested(draw: &mut Draw, body: Body, type_: &TypeStr, from: [&str; 2], to: &str) -> Body {
    let inner = flag(draw, 0);
    let (cond, opset) = (format!("{to}_cond"), draw.since());
    draw.outer(&cond, inner);
    let side = |name: &str, from: &str| {
        let out = format!("{to}_{name}");
        Body::new(name).copy(opset, type_, from, &out).output(&out, &kind_of(type_), None).attribute(name)
    };
    let sides = vec![side("then_branch", from[0]), side("else_branch", from[1])];
    body.node_with("If", &[&cond], to, sides)
}

pub fn if_(draw: &mut Draw) {
    let cond = flag(draw, 2);
    draw.input("cond", cond);
    let mut branches = [Body::new("then"), Body::new("otherwise")];
    let mut kinds = Vec::new();
    for k in 0..draw.range(1..=2) {
        let type_ = if k == 0 { draw.type_of("V") } else { control_flow::any_type(draw) };
        let shape = draw.shape(0..=3);
        let mut shapes = [shape.clone(), shape];
        if draw.since() >= 11 && draw.flag() {
            shapes[1] = draw.shape(0..=3);
            if shapes[0] != shapes[1] {
                draw.feature("shapes differ");
            }
        }
        let names = [format!("a{k}"), format!("b{k}")];
        for (name, shape) in names.iter().zip(&shapes) {
            let value = control_flow::value(draw, &type_, shape);
            draw.outer(name, value);
        }
        let kind = kind_of(&type_);
        for (side, out) in ["then", "otherwise"].into_iter().enumerate() {
            let out = format!("{out}{k}");
            let mut body = branches[side].clone();
            let mut known = true;
            body = if draw.once_in(5) {
                draw.feature("nested If");
                known = false;
                nested(draw, body, &type_, [&names[side], &names[1 - side]], &out)
            } else {
                branch(draw, body, &type_, &names[side], &out)
            };
            let declared = (known && draw.flag()).then_some(shapes[side].as_slice());
            branches[side] = body.output(&out, &kind, declared);
        }
        kinds.push(kind);
    }
    let [then, otherwise] = branches;
    draw.graph_attribute("then_branch", then.build());
    draw.graph_attribute("else_branch", otherwise.build());
    draw.typed_outputs(kinds);
}

/// Gives two branches that copy values of these types and shapes, with these numbers of outputs.
fn plain(draw: &mut Draw, types: [DType; 2], shapes: [&[usize]; 2], outputs: [usize; 2]) {
    let opset = draw.since();
    for (side, name) in ["then_branch", "else_branch"].into_iter().enumerate() {
        let from = format!("around_{name}");
        let tensor = draw.elements(types[side], shapes[side], Values::Any);
        draw.outer(&from, tensor);
        let mut body = Body::new(name);
        for k in 0..outputs[side] {
            let out = format!("{name}{k}");
            body = body.copy(opset, &TypeStr::Tensor(types[side]), &from, &out);
            body = body.output(&out, &ValueKind::Tensor(types[side]), Some(shapes[side]));
        }
        draw.graph_attribute(name, body.build());
    }
    draw.typed_outputs(vec![ValueKind::Tensor(types[0])]);
}

/// Gives a condition of two elements, or of no element.
pub fn cond_has_one_element(draw: &mut Draw) {
    let count = draw.way_of(&[2, 0]);
    let cond = Tensor::from_i128s(DType::Bool, vec![count], &vec![1; count])
        .expect("there are as many values as the shape has elements");
    draw.input("cond", cond);
    plain(draw, [DType::Float; 2], [&[2], &[2]], [1, 1]);
}

pub fn branch_outputs_fit(draw: &mut Draw) {
    let cond = flag(draw, 0);
    draw.input("cond", cond);
    let outputs = draw.way_of(&[[1, 2], [2, 1]]);
    plain(draw, [DType::Float; 2], [&[2], &[2]], outputs);
}

pub fn branch_types_equal(draw: &mut Draw) {
    let cond = flag(draw, 0);
    draw.input("cond", cond);
    let types = draw.way_of(&[[DType::Float, DType::Int64], [DType::Bool, DType::Float]]);
    plain(draw, types, [&[2], &[2]], [1, 1]);
}

pub fn branch_shapes_equal(draw: &mut Draw) {
    let cond = flag(draw, 0);
    draw.input("cond", cond);
    plain(draw, [DType::Float; 2], [&[2], &[3]], [1, 1]);
}

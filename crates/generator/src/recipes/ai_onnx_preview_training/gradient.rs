//! Draws the small graph that Gradient differentiates. The graph combines one or two tensors, in some cases also a
//! tensor `C` that is not differentiated, and reduces the result to one element.

use plumbline_tensor::onnx::AttributeProto;

use crate::body::Body;
use crate::declarations;
use crate::prelude::*;

/// Returns the type of the differentiated tensors, and the type of the tensor that is not differentiated.
fn types(draw: &mut Draw) -> (DType, DType) {
    let other = draw.dtype("T1");
    draw.bind("T2", other);
    (draw.dtype("T2"), other)
}

fn elements(draw: &mut Draw, dtype: DType, shape: &[usize]) -> Tensor {
    let values = if dtype.is_float() { Values::Around(0.5, 2.0) } else { Values::Integers };
    draw.elements(dtype, shape, values)
}

/// Gives the input that belongs to the tensor `name`: that tensor itself or, in one case in three, another tensor of
/// the same type and shape.
fn value(draw: &mut Draw, name: &str, dtype: DType, shape: &[usize]) {
    if draw.once_in(3) {
        draw.feature("another value than that of the name");
        let other = elements(draw, dtype, shape);
        draw.input("Inputs", other);
    } else {
        draw.input_around("Inputs", name);
    }
}

fn names(draw: &mut Draw, attribute: &str, names: &[&str]) {
    let names: Vec<Vec<u8>> = names.iter().map(|n| n.as_bytes().to_vec()).collect();
    draw.strings_attribute(attribute, &names);
}

fn int(name: &str, value: i64) -> Vec<AttributeProto> {
    vec![AttributeProto { i: Some(value), ..declarations::attribute(name, 2) }]
}

/// Makes the tensor `A`: an input or initializer of the graph, or an intermediate tensor that a node computes from a
/// tensor that the Gradient does not name.
fn tensor_a(draw: &mut Draw, body: Body, dtype: DType, shape: &[usize]) -> Body {
    let tensor = elements(draw, dtype, shape);
    if draw.once_in(3) {
        draw.feature("of an intermediate tensor");
        draw.outer("W", tensor);
        return body.node("Sqrt", &["W"], "A");
    }
    draw.outer("A", tensor);
    body
}

/// Adds a function of `A` alone, in some cases. Except for special elements, the elements of `A` are positive, because
/// Log and Sqrt need that.
fn function_of_a(draw: &mut Draw, body: Body) -> (Body, &'static str) {
    match draw.choose(&["", "Exp", "Log", "Sqrt"]) {
        "" => (body, "A"),
        operator => {
            draw.feature("function of a positive number");
            (body.node(operator, &["A"], "F"), "F")
        }
    }
}

/// Makes a factor from the tensor `C`, and returns the name of the factor. The factor is `C` itself, `C` cast to the
/// type of the other tensors, or, if `C` holds strings or complex numbers, its size.
fn factor(draw: &mut Draw, body: Body, dtype: DType, other: DType) -> (Body, &'static str) {
    if other == dtype {
        return (body, "C");
    }
    let to = int("to", i64::from(dtype.code()));
    if other.is_float() || other == DType::Bool || other.integer_range().is_some() {
        draw.feature("a factor of another type");
        return (body.node_with("Cast", &["C"], "D", to), "D");
    }
    draw.feature("the size of a tensor");
    (body.node("Size", &["C"], "S").node_with("Cast", &["S"], "D", to), "D")
}

pub fn gradient(draw: &mut Draw) {
    let (dtype, other) = types(draw);
    let matrices = draw.once_in(4);
    let shapes = match matrices {
        true => {
            let [m, k, n] = [(); 3].map(|()| draw.range(1..=3) as usize);
            vec![vec![m, k], vec![k, n]]
        }
        false => draw.broadcastable(2, 0..=3),
    };
    let mut body = tensor_a(draw, Body::new("around"), dtype, &shapes[0]);
    value(draw, "A", dtype, &shapes[0]);
    let mut xs = vec!["A"];
    let mut last;
    (body, last) = function_of_a(draw, body);
    if matrices || draw.flag() {
        let tensor = elements(draw, dtype, &shapes[1]);
        draw.outer("B", tensor);
        value(draw, "B", dtype, &shapes[1]);
        xs.push("B");
        let operator = if matrices { "MatMul" } else { draw.choose(&["Mul", "Add", "Sub", "Div"]) };
        if matrices {
            draw.feature("product of matrices");
        }
        (body, last) = (body.node(operator, &[last, "B"], "AB"), "AB");
    }
    if draw.once_in(5) {
        draw.feature("unrelated tensor");
        let tensor = elements(draw, dtype, &[2]);
        draw.outer("U", tensor);
        value(draw, "U", dtype, &[2]);
        xs.push("U");
    }
    names(draw, "xs", &xs);
    // If the cell binds T1 to another type, the node needs an input of that type.
    if other != dtype || draw.give() {
        let shape = if other == dtype { vec![] } else { draw.full_shape(0..=2) };
        let numeric = other.is_float() || other == DType::Bool || other.integer_range().is_some();
        let shape = if numeric { vec![1; shape.len().min(1)] } else { shape };
        let tensor = elements(draw, other, &shape);
        draw.outer("C", tensor);
        value(draw, "C", other, &shape);
        names(draw, "zs", &["C"]);
        let by;
        (body, by) = factor(draw, body, dtype, other);
        (body, last) = (body.node("Mul", &[last, by], "ABC"), "ABC");
    }
    for to in ["G", "H"] {
        if draw.flag() {
            let operator = draw.choose(&["Neg", "Tanh", "Sigmoid", "Identity"]);
            (body, last) = (body.node(operator, &[last], to), to);
        }
    }
    if draw.once_in(4) {
        draw.feature("one tensor on two ways");
        (body, last) = (body.node("Add", &[last, last], "T"), "T");
    }
    let empty = shapes.iter().flatten().any(|&extent| extent == 0);
    let reduction = if empty { "ReduceSum" } else { draw.choose(&["ReduceSum", "ReduceMean"]) };
    body = body.node_with(reduction, &[last], "Y", int("keepdims", i64::from(draw.flag())));
    draw.string_attribute("y", "Y");
    draw.before(body);
    let mut named = vec![true; xs.len()];
    if xs.len() > 1 && draw.once_in(4) {
        draw.feature("output left out");
        named[0] = false;
    }
    draw.outputs(&named);
}

/// Puts two nodes before the Gradient: one computes `H`, the product of `A` and `B`, the other `Y`, the sum of the
/// elements of `H`. Declines a cell that binds different types, because all tensors of this graph have one type.
/// Returns false if the case is declined.
fn product(draw: &mut Draw, xs: &[&str], zs: &[&str]) -> bool {
    let (dtype, other) = types(draw);
    if dtype != other {
        draw.decline();
        return false;
    }
    let shape = draw.full_shape(0..=2);
    for name in ["A", "B"] {
        let tensor = elements(draw, dtype, &shape);
        draw.outer_input(name, tensor);
    }
    let body = Body::new("around").node("Mul", &["A", "B"], "H");
    draw.before(body.node_with("ReduceSum", &["H"], "Y", int("keepdims", 0)));
    names(draw, "xs", xs);
    if !zs.is_empty() {
        names(draw, "zs", zs);
    }
    draw.string_attribute("y", "Y");
    draw.outputs(&vec![true; xs.len()]);
    true
}

/// Gives one value too few or too many.
pub fn inputs_match_names(draw: &mut Draw) {
    let given: &[&str] = if draw.way(2) == 1 { &["A", "B", "A"] } else { &["A"] };
    if product(draw, &["A"], &["B"]) {
        given.iter().for_each(|name| draw.input_around("Inputs", name));
    }
}

/// Names a tensor that other named tensors determine, or the same tensor twice.
pub fn names_independent(draw: &mut Draw) {
    let xs: &[&str] = if draw.way(2) == 1 { &["A", "A"] } else { &["H", "A"] };
    if product(draw, xs, &["B"]) {
        xs.iter().chain(&["B"]).for_each(|name| draw.input_around("Inputs", name));
    }
}

/// Names only one of the two factors in `xs`, so that they do not determine `Y`.
pub fn xs_determine_y(draw: &mut Draw) {
    let xs = [draw.way_of(&["A", "B"])];
    if product(draw, &xs, &[]) {
        draw.input_around("Inputs", xs[0]);
    }
}

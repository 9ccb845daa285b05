//! Draws loops that end by their trip count or by their condition, with values that are carried, that grow, and that
//! are collected in each iteration.

use plumbline_spec::TypeStr;
use plumbline_tensor::ValueKind;
use plumbline_tensor::onnx::AttributeProto;

use crate::body::{Body, takes};
use crate::declarations::{attribute, kind_of};
use crate::families::control_flow;
use crate::prelude::*;

const BOOL: ValueKind = ValueKind::Tensor(DType::Bool);

const INT64: ValueKind = ValueKind::Tensor(DType::Int64);

fn bools(values: &[bool], shape: Vec<usize>) -> Tensor {
    let values: Vec<i128> = values.iter().map(|&v| i128::from(v)).collect();
    Tensor::from_i128s(DType::Bool, shape, &values).expect("there are as many values as the shape has elements")
}

/// A loop body that is being drawn, with the types of the values it carries.
struct DrawnBody {
    body: Body,
    carried: Vec<ValueKind>,
    /// Tensors with the same shape in every iteration: name, type, shape.
    steady: Vec<(String, DType, Vec<usize>)>,
}

impl DrawnBody {
    fn new() -> DrawnBody {
        let body = Body::new("body").input("i", &INT64, Some(&[])).input("c_in", &BOOL, Some(&[]));
        let steady = vec![("i".to_owned(), DType::Int64, vec![]), ("c_in".to_owned(), DType::Bool, vec![])];
        DrawnBody { body, carried: vec![], steady }
    }

    fn with(&mut self, change: impl FnOnce(Body) -> Body) {
        let body = std::mem::replace(&mut self.body, Body::new(""));
        self.body = change(body);
    }
}

/// Draws how the loop ends: by its trip count, by its condition, or by whichever comes first. Returns the conditions to
/// carry, and whether there is at least one iteration.
fn conditions(draw: &mut Draw, drawn: &mut DrawnBody) -> (Vec<bool>, bool) {
    let way = draw.below(if draw.is_large() { 1 } else { 3 });
    let mut runs = true;
    if way != 2 {
        let (trips, rank) = match draw.is_large() {
            true => (draw.many_iterations() as i64, draw.below(2)),
            false => (draw.choose(&[2, 1, 3, 0, -1, 7, 40]), draw.below(2)),
        };
        runs = trips > 0;
        draw.set_cost(usize::try_from(trips).unwrap_or(1).max(1));
        if way == 0 && trips > 3 {
            draw.feature("many iterations");
        }
        draw.int_tensor("M", vec![1; rank], &[trips]);
    }
    if !runs {
        draw.feature("no iteration");
    }
    if way == 0 {
        // Without a condition as input, the condition that the body returns has no effect.
        let goes_on = draw.flag();
        draw.feature(if goes_on { "condition ignored" } else { "condition ignored, though false" });
        draw.outer("go", bools(&[goes_on], vec![]));
        drawn.with(|b| b.node("Identity", &["go"], "c_out"));
        return (vec![], runs);
    }
    let starts = !draw.once_in(5);
    draw.input("cond", bools(&[starts], vec![]));
    if !starts {
        draw.feature("no iteration");
    }
    // The conditions of later iterations are carried values, and the body returns the first of them. In each iteration
    // a carried condition takes the value of the next one. The last one is false, which ends the loop.
    let count = draw.range(1..=3) as usize;
    drawn.with(|b| b.node("Identity", &["go0"], "c_out"));
    let chain = (0..count).map(|k| k + 1 < count).collect();
    (chain, runs && starts)
}

/// Adds one carried value, and what an iteration makes of it.
fn carry(draw: &mut Draw, drawn: &mut DrawnBody, at: usize) {
    let type_ = if at == 0 { draw.type_of("V") } else { control_flow::any_type(draw) };
    let shape = draw.shape(0..=3);
    let initial = control_flow::value(draw, &type_, &shape);
    draw.input("v_initial", initial);
    let (name, next, around) = (format!("v{at}"), format!("v{at}_next"), format!("o{at}"));
    let (kind, opset) = (kind_of(&type_), draw.since());
    let mut grows = false;
    match &type_ {
        TypeStr::Tensor(dtype) => {
            let operator = match draw.below(4) {
                1 if takes("Add", opset, &type_) => "Add",
                2 => "Identity",
                3 if opset >= 11 && !shape.is_empty() && takes("Concat", opset, &type_) => "Concat",
                _ => "",
            };
            if !operator.is_empty() {
                draw.feature("a value around the body");
                let tensor = draw.elements(*dtype, &shape, Values::Any);
                draw.outer(&around, tensor);
            }
            let axis = AttributeProto { i: Some(0), ..attribute("axis", 2) };
            drawn.with(|b| match operator {
                "Add" => b.node("Add", &[&name, &around], &next),
                "Identity" => b.copy(opset, &type_, &around, &next),
                "Concat" => b.node_with("Concat", &[&name, &around], &next, vec![axis]),
                _ => b.copy(opset, &type_, &name, &next),
            });
            grows = operator == "Concat";
            if grows {
                draw.feature("a value grows");
            } else {
                drawn.steady.push((name.clone(), *dtype, shape.clone()));
            }
        }
        TypeStr::Sequence(of) if takes("SequenceInsert", opset, &type_) && draw.flag() => {
            draw.feature("a sequence grows");
            let tensor = draw.elements(of.leaf_dtype(), &shape, Values::Any);
            draw.outer(&around, tensor);
            drawn.with(|b| b.node("SequenceInsert", &[&name, &around], &next));
        }
        _ => drawn.with(|b| b.copy(opset, &type_, &name, &next)),
    }
    let declared = (!grows && draw.flag()).then_some(shape.as_slice());
    drawn.with(|b| b.input(&name, &kind, declared).output(&next, &kind, declared));
    drawn.carried.push(kind);
}

pub fn loop_(draw: &mut Draw) {
    let mut drawn = DrawnBody::new();
    let (chain, runs) = conditions(draw, &mut drawn);
    drawn.with(|b| b.output("c_out", &BOOL, Some(&[])));
    let tensor = matches!(draw.type_of("V"), TypeStr::Tensor(_));
    // If carried conditions end the loop, they can be the only carried values.
    let values = if tensor && !chain.is_empty() && draw.once_in(6) { 0 } else { draw.range(1..=2) };
    for at in 0..values as usize {
        carry(draw, &mut drawn, at);
    }
    for (k, &goes_on) in chain.iter().enumerate() {
        draw.input("v_initial", bools(&[goes_on], vec![]));
        let (name, next, last) = (format!("go{k}"), format!("go{k}_next"), (k + 1).min(chain.len() - 1));
        drawn.with(|b| b.input(&name, &BOOL, Some(&[])).node("Identity", &[&format!("go{last}")], &next));
        drawn.with(|b| b.output(&next, &BOOL, Some(&[])));
        drawn.carried.push(BOOL);
    }
    let mut kinds = std::mem::take(&mut drawn.carried);
    let scanned = draw.range(if kinds.is_empty() { 1..=2 } else { 0..=2 });
    for k in 0..scanned {
        let (name, dtype, shape) = draw.choose(&drawn.steady);
        let (out, kind, opset) = (format!("s{k}"), ValueKind::Tensor(dtype), draw.since());
        draw.feature("scan output");
        // Without an iteration, only this declaration says which shape the elements of the scan output have.
        let declared = (!runs || draw.flag()).then_some(shape.as_slice());
        drawn.with(|b| b.copy(opset, &TypeStr::Tensor(dtype), &name, &out).output(&out, &kind, declared));
        kinds.push(kind);
    }
    draw.graph_attribute("body", drawn.body.build());
    draw.typed_outputs(kinds);
}

/// Gives the inputs of a loop with the trip count `trips` and one float tensor as its carried value. Declines a cell
/// that binds another type. Returns a body without the output for the carried value; the caller adds this output, and
/// breaks one rule.
fn plain(draw: &mut Draw, rank: usize, trips: &[i64]) -> Body {
    if draw.type_of("V") != TypeStr::Tensor(DType::Float) {
        draw.decline();
    }
    draw.int_tensor("M", vec![trips.len(); usize::from(trips.len() > 1)], trips);
    let shape = vec![2; rank];
    draw.tensor("v_initial", &shape, Values::Moderate);
    draw.typed_outputs(vec![ValueKind::Tensor(DType::Float)]);
    let body = DrawnBody::new().body.node("Identity", &["c_in"], "c_out").output("c_out", &BOOL, Some(&[]));
    body.input("v", &ValueKind::Tensor(DType::Float), None)
}

const FLOAT: ValueKind = ValueKind::Tensor(DType::Float);

/// Gives a trip count of two elements.
pub fn m_and_cond_scalar(draw: &mut Draw) {
    let body = plain(draw, 1, &[2, 2]);
    draw.graph_attribute("body", body.node("Identity", &["v"], "v_next").output("v_next", &FLOAT, None).build());
}

/// Gives a body with one input too many.
pub fn body_fits_node(draw: &mut Draw) {
    let body = plain(draw, 1, &[2]).input("w", &FLOAT, None);
    draw.graph_attribute("body", body.node("Identity", &["v"], "v_next").output("v_next", &FLOAT, None).build());
}

/// Gives a body that changes the type of the carried value.
pub fn carried_types_kept(draw: &mut Draw) {
    let body = plain(draw, 1, &[2]).node("Identity", &["i"], "v_next").output("v_next", &INT64, None);
    draw.graph_attribute("body", body.build());
}

/// Gives a body with a scan output that grows in each iteration.
pub fn iteration_shapes_equal(draw: &mut Draw) {
    let body = plain(draw, 1, &[2]);
    let axis = AttributeProto { name: Some("axis".to_owned()), i: Some(0), r#type: Some(2), ..Default::default() };
    let body = body.node_with("Concat", &["v", "v"], "v_next", vec![axis]).node("Identity", &["v"], "s");
    draw.typed_outputs(vec![FLOAT, FLOAT]);
    draw.graph_attribute("body", body.output("v_next", &FLOAT, None).output("s", &FLOAT, None).build());
}

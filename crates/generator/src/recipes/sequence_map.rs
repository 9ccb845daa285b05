//! Draws bodies that copy or double the elements of up to four sequences, or return the shapes of the elements. Some
//! bodies use a tensor that is the same for all elements, or a tensor of the enclosing graph.

use plumbline_spec::TypeStr;
use plumbline_tensor::{Value, ValueKind};

use crate::body::{Body, takes};
use crate::families::control_flow;
use crate::prelude::*;

/// Draws a sequence of `count` tensors of one type and different shapes.
fn sequence(draw: &mut Draw, dtype: DType, count: usize) -> Value {
    let mut items = Vec::new();
    for _ in 0..count {
        let shape = draw.shape(0..=3);
        items.push(draw.elements(dtype, &shape, Values::Any).into());
    }
    Value::Sequence { element: ValueKind::Tensor(dtype), items }
}

pub fn sequence_map(draw: &mut Draw) {
    let count = draw.choose(&[2, 1, 3, 0]);
    if count == 0 {
        draw.feature("empty sequence");
    }
    let mut body = Body::new("body");
    let mut dtypes = vec![draw.type_of("S").leaf_dtype()];
    let first = sequence(draw, dtypes[0], count);
    draw.input("input_sequence", first);
    // If the cell binds `V`, the first additional input has that type.
    let more = draw.range(if draw.binding.contains_key("V") { 1..=3 } else { 0..=2 });
    for at in 0..more {
        let type_ = if at == 0 { draw.type_of("V") } else { control_flow::any_type(draw) };
        dtypes.push(type_.leaf_dtype());
        let value = match type_ {
            TypeStr::Sequence(_) => sequence(draw, type_.leaf_dtype(), count),
            _ => {
                draw.feature("a tensor for all");
                let shape = draw.shape(0..=3);
                draw.elements(type_.leaf_dtype(), &shape, Values::Any).into()
            }
        };
        draw.input("additional_inputs", value);
    }
    for (at, dtype) in dtypes.iter().enumerate() {
        body = body.input(&format!("e{at}"), &ValueKind::Tensor(*dtype), None);
    }
    let mut kinds = Vec::new();
    for at in 0..draw.range(1..=3) {
        let from = draw.below(dtypes.len());
        let (mut dtype, from, to) = (dtypes[from], format!("e{from}"), format!("r{at}"));
        let type_ = TypeStr::Tensor(dtype);
        body = match draw.below(4) {
            1 if takes("Add", 17, &type_) => body.node("Add", &[&from, &from], &to),
            2 => {
                dtype = DType::Int64;
                body.node("Shape", &[&from], &to)
            }
            3 => {
                draw.feature("a value around the body");
                let around = format!("around{at}");
                let shape = draw.shape(0..=2);
                let tensor = draw.elements(dtype, &shape, Values::Any);
                draw.outer(&around, tensor);
                body.copy(17, &type_, &around, &to)
            }
            _ => body.copy(17, &type_, &from, &to),
        };
        body = body.output(&to, &ValueKind::Tensor(dtype), None);
        kinds.push(ValueKind::Sequence(Box::new(ValueKind::Tensor(dtype))));
    }
    draw.graph_attribute("body", body.build());
    draw.typed_outputs(kinds);
}

/// Gives a body that copies its first input and declares this number of inputs.
fn copies(draw: &mut Draw, dtype: DType, inputs: usize) {
    let mut body = Body::new("body");
    for at in 0..inputs {
        body = body.input(&format!("e{at}"), &ValueKind::Tensor(dtype), None);
    }
    body = body.node("Identity", &["e0"], "r0").output("r0", &ValueKind::Tensor(dtype), None);
    draw.graph_attribute("body", body.build());
    draw.typed_outputs(vec![ValueKind::Sequence(Box::new(ValueKind::Tensor(dtype)))]);
}

/// Gives an additional sequence that is shorter than the first one.
pub fn sequences_long_enough(draw: &mut Draw) {
    let dtype = draw.type_of("S").leaf_dtype();
    let counts = draw.way_of(&[[2, 1], [1, 0], [3, 1]]);
    for (input, count) in ["input_sequence", "additional_inputs"].into_iter().zip(counts) {
        let sequence = sequence(draw, dtype, count);
        draw.input(input, sequence);
    }
    copies(draw, dtype, 2);
}

pub fn body_fits_node(draw: &mut Draw) {
    let dtype = draw.type_of("S").leaf_dtype();
    let sequence = sequence(draw, dtype, 2);
    draw.input("input_sequence", sequence);
    copies(draw, dtype, 2);
}

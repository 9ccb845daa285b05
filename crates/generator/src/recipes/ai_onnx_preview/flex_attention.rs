//! Draws one or two query heads for each head of keys and values, and graphs that scale, cap or mask the scores or
//! halve the weights.

use plumbline_tensor::onnx::{GraphProto, NodeProto};
use plumbline_tensor::{ValueKind, tensor_to_proto};

use crate::declarations::value_info;
use crate::prelude::*;

/// Builds a graph from one tensor `x` of this type to another tensor `y`. `nodes` are (operator, inputs, output).
fn graph(dtype: DType, nodes: &[(&str, &[&str], &str)], constants: &[(&str, Tensor)]) -> GraphProto {
    let node = |(op, inputs, output): &(&str, &[&str], &str)| NodeProto {
        op_type: Some((*op).to_owned()),
        input: inputs.iter().map(|i| (*i).to_owned()).collect(),
        output: vec![(*output).to_owned()],
        ..NodeProto::default()
    };
    GraphProto {
        name: Some("modifier".to_owned()),
        node: nodes.iter().map(node).collect(),
        initializer: constants.iter().map(|(name, tensor)| tensor_to_proto(tensor, name)).collect(),
        input: vec![value_info("x", &ValueKind::Tensor(dtype), None)],
        output: vec![value_info("y", &ValueKind::Tensor(dtype), None)],
        ..GraphProto::default()
    }
}

fn number(dtype: DType, value: f64) -> Tensor {
    Tensor::from_f64s(dtype, vec![], &[value]).expect("a tensor of one element has one value")
}

/// Returns the type of scores and weights, and gives `softmax_precision` in some cases.
fn precision(draw: &mut Draw) -> DType {
    if draw.give_attribute("softmax_precision") {
        let precision = draw.choose(&[DType::Float, DType::Double, DType::Float16, DType::Bfloat16]);
        draw.int_attribute("softmax_precision", i64::from(precision.code()));
        return precision;
    }
    if draw.dtype("T1") == DType::Double { DType::Double } else { DType::Float }
}

/// Draws which keys each query sees. Every query sees the first key.
fn visible(draw: &mut Draw, queries: usize, keys: usize) -> Tensor {
    let choices = draw.block(queries * keys, 4).into_iter().enumerate();
    let bits = choices.map(|(i, c)| u64::from(i % keys == 0 || c > 0));
    Tensor::from_bits(DType::Bool, vec![queries, keys], bits).expect("there is one value for each query and key")
}

pub fn flex_attention(draw: &mut Draw) {
    let precision = precision(draw);
    let (batch, kv_heads, group) = (draw.choose(&[1, 2, 3]), draw.choose(&[1, 2, 3]), draw.choose(&[1, 2]));
    let (queries, keys) = (draw.choose(&[2, 1, 3]), draw.choose(&[3, 1, 2, 4]));
    let (size, v_size) = (draw.choose(&[2, 4, 3, 1]), draw.choose(&[2, 3, 1]));
    let mut extents = [keys, queries, size, v_size, batch];
    draw.enlarge(&mut extents, kv_heads * group);
    let [keys, queries, size, v_size, batch] = extents;
    let batch = if draw.once_in(20) { 0 } else { batch };
    if batch == 0 {
        draw.feature("no batches");
    }
    if group > 1 {
        draw.feature("groups of query heads");
    }
    let values = draw.choose(&[Values::Around(-1.0, 1.0), Values::Around(-3.0, 3.0), Values::Integers]);
    draw.tensor("Q", &[batch, kv_heads * group, queries, size], values);
    draw.tensor("K", &[batch, kv_heads, keys, size], values);
    draw.tensor("V", &[batch, kv_heads, keys, v_size], values);
    if draw.give_attribute("scale") {
        let scale = draw.choose(&[1.0, 0.5, 0.3]);
        draw.float_attribute("scale", scale);
    }
    if draw.give_attribute("score_mod") {
        let modifier = match draw.below(3) {
            0 => graph(precision, &[("Mul", &["x", "c"], "y")], &[("c", number(precision, 0.5))]),
            1 => {
                draw.feature("capped by a graph");
                let nodes: [(&str, &[&str], &str); 3] =
                    [("Div", &["x", "c"], "d"), ("Tanh", &["d"], "t"), ("Mul", &["t", "c"], "y")];
                graph(precision, &nodes, &[("c", number(precision, 2.0))])
            }
            _ => {
                draw.feature("masked by a graph");
                let constants = [("m", visible(draw, queries, keys)), ("c", number(precision, f64::NEG_INFINITY))];
                graph(precision, &[("Where", &["m", "x", "c"], "y")], &constants)
            }
        };
        draw.graph_attribute("score_mod", modifier);
    }
    if draw.give_attribute("prob_mod") {
        let modifier = graph(precision, &[("Mul", &["x", "c"], "y")], &[("c", number(precision, 0.5))]);
        draw.graph_attribute("prob_mod", modifier);
    }
}

fn query_key_value(draw: &mut Draw, shapes: [&[usize]; 3]) {
    for (name, shape) in ["Q", "K", "V"].into_iter().zip(shapes) {
        draw.tensor(name, shape, Values::Between(-1.0, 1.0));
    }
}

pub fn rank_four(draw: &mut Draw) {
    match draw.way(2) {
        0 => query_key_value(draw, [&[2, 2, 4], &[2, 3, 4], &[2, 3, 4]]),
        _ => query_key_value(draw, [&[2, 1, 2, 4], &[2, 1, 3, 4], &[2, 3, 4]]),
    }
}

pub fn query_key_value_agree(draw: &mut Draw) {
    match draw.way(4) {
        0 => query_key_value(draw, [&[2, 1, 2, 2], &[3, 1, 3, 2], &[3, 1, 3, 2]]),
        1 => query_key_value(draw, [&[2, 1, 2, 2], &[2, 1, 3, 3], &[2, 1, 3, 2]]),
        2 => query_key_value(draw, [&[2, 1, 2, 2], &[2, 1, 3, 2], &[2, 1, 4, 2]]),
        _ => query_key_value(draw, [&[2, 2, 2, 2], &[2, 2, 3, 2], &[2, 1, 3, 2]]),
    }
}

pub fn query_heads_multiple(draw: &mut Draw) {
    query_key_value(draw, [&[2, 3, 2, 2], &[2, 2, 3, 2], &[2, 2, 3, 2]]);
}

pub fn softmax_precision_allowed(draw: &mut Draw) {
    query_key_value(draw, [&[2, 1, 2, 2], &[2, 1, 3, 2], &[2, 1, 3, 2]]);
    let code = draw.foreign_code_or_zero(&[DType::Uint8, DType::Int32, DType::String]);
    draw.int_attribute("softmax_precision", code);
}

/// Gives a modifier graph that returns another shape or another type than it takes.
pub fn modifier_graphs_fit(draw: &mut Draw) {
    query_key_value(draw, [&[2, 1, 2, 2], &[2, 1, 3, 2], &[2, 1, 3, 2]]);
    let dtype = if draw.dtype("T1") == DType::Double { DType::Double } else { DType::Float };
    let name = draw.way_of(&["score_mod", "prob_mod"]);
    let modifier = match draw.way(2) {
        0 => graph(dtype, &[("Transpose", &["x"], "y")], &[]),
        _ => {
            let mut bools = graph(dtype, &[("IsNaN", &["x"], "y")], &[]);
            bools.output = vec![value_info("y", &ValueKind::Tensor(DType::Bool), None)];
            bools
        }
    };
    draw.graph_attribute(name, modifier);
}

//! Draws indices inside of the depth, at both of its ends, and outside. Indices and depths of floating-point types may
//! have fractions.

use crate::prelude::*;

/// Gives the depth. A floating-point depth is truncated, so it may have a fraction.
fn give_depth(draw: &mut Draw, depth: i64, shape: Vec<usize>) {
    let dtype = draw.input_dtype("depth");
    if dtype.is_float() {
        let mut value = depth as f64;
        if draw.once_in(3) {
            value += 0.5;
            draw.feature("depth with a fraction");
        }
        draw.input("depth", Tensor::from_f64s(dtype, shape, &[value]).expect("a tensor of one element has one value"));
    } else {
        draw.int_tensor("depth", shape, &[depth]);
    }
}

/// Gives indices inside the depth, at its ends, and outside.
fn give_indices(draw: &mut Draw, shape: &[usize], depth: i64) {
    let dtype = draw.input_dtype("indices");
    // The specification of versions before 11 both forbids negative indices and describes them.
    let signed = dtype.integer_range().is_none_or(|(low, _)| low < 0) && draw.since() >= 11;
    let count: usize = shape.iter().product();
    let mut values = Vec::new();
    for _ in 0..count {
        let value = match draw.below(10) {
            8 => depth - 1,
            9 if signed => -depth,
            5 if signed => -draw.range(1..=depth),
            6 => depth + draw.range(0..=3),
            7 if signed => -depth - draw.range(1..=3),
            _ => draw.range(0..=depth - 1),
        };
        values.push(value);
    }
    if values.iter().any(|v| *v >= depth || *v < -depth) {
        draw.feature("index outside");
    }
    if values.iter().any(|v| *v < 0 && *v >= -depth) {
        draw.feature("negative index");
    }
    if dtype.is_float() {
        // The operator rounds indices towards zero, so the fractions that are added here have no effect.
        let values: Vec<f64> = values
            .into_iter()
            .map(|v| v as f64 + if v < 0 { -1.0 } else { 1.0 } * draw.choose(&[0.0, 0.0, 0.25, 0.75]))
            .collect();
        draw.input(
            "indices",
            Tensor::from_f64s(dtype, shape.to_vec(), &values)
                .expect("there are as many values as the shape has elements"),
        );
    } else {
        draw.int_tensor("indices", shape.to_vec(), &values);
    }
}

pub fn one_hot(draw: &mut Draw) {
    // Few backends accept every combination of types, so most cases have the usual types.
    for (variable, usual) in [("T1", DType::Int64), ("T2", DType::Int64), ("T3", DType::Float)] {
        if !draw.once_in(4) {
            draw.bind(variable, usual);
        }
    }
    let shape = draw.shape(1..=3);
    let depth = draw.range(1..=6);
    give_indices(draw, &shape, depth);
    let scalar = draw.flag();
    draw.feature(if scalar { "depth of rank 0" } else { "depth of rank 1" });
    give_depth(draw, depth, if scalar { vec![] } else { vec![1] });
    draw.tensor("values", &[2], Values::Any);
    if draw.give_attribute("axis") {
        let rank = shape.len() as i64;
        // The specification of OneHot-9 describes no negative axis except -1.
        let axis = if draw.since() < 11 { draw.range(-1..=rank) } else { draw.range(-rank - 1..=rank) };
        draw.int_attribute("axis", axis);
    }
}

/// Gives two depths, one depth in a tensor of rank 2, or a negative depth.
pub fn depth_valid(draw: &mut Draw) {
    give_indices(draw, &[3], 2);
    let dtype = draw.input_dtype("depth");
    let signed = dtype.integer_range().is_none_or(|(low, _)| low < 0);
    let (shape, depth) = match draw.way(if signed { 3 } else { 2 }) {
        0 => (vec![2], 1),
        1 => (vec![1, 1], 1),
        _ => (vec![], -1),
    };
    draw.input("depth", numbers(dtype, shape, depth));
    draw.tensor("values", &[2], Values::Any);
}

/// Returns a tensor with the same number everywhere.
fn numbers(dtype: DType, shape: Vec<usize>, value: i64) -> Tensor {
    let count = shape.iter().product();
    let tensor = if dtype.is_float() {
        Tensor::from_f64s(dtype, shape, &vec![value as f64; count])
    } else {
        Tensor::from_i128s(dtype, shape, &vec![i128::from(value); count])
    };
    tensor.expect("there are as many values as the shape has elements")
}

pub fn values_are_pair(draw: &mut Draw) {
    give_indices(draw, &[3], 2);
    give_depth(draw, 2, vec![]);
    let shape = draw.way_of(&[vec![3], vec![1], vec![1, 2]]);
    draw.tensor("values", &shape, Values::Any);
}

pub fn axis_in_range(draw: &mut Draw) {
    let shape = draw.full_shape(1..=3);
    give_indices(draw, &shape, 2);
    give_depth(draw, 2, vec![]);
    draw.tensor("values", &[2], Values::Any);
    let rank = shape.len() as i64;
    let axis = if draw.since() >= 11 { draw.beyond(-rank - 1, rank) } else { draw.above(rank) };
    draw.int_attribute("axis", axis);
}

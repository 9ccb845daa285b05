//! Draws shapes, the empty one among them, with and without a value.

use crate::families::constant;
use crate::prelude::*;

pub fn constant_of_shape(draw: &mut Draw) {
    let dtype = draw.output_dtype("output");
    let shape = draw.shape(0..=5);
    let extents: Vec<i64> = shape.iter().map(|&e| e as i64).collect();
    draw.ints("input", &extents);
    if shape.is_empty() {
        draw.feature("scalar result");
    }
    // Without the attribute the type is float.
    if draw.give_attribute("value") || dtype != DType::Float {
        let value = draw.elements(dtype, &[1], Values::Any);
        draw.tensor_attribute("value", &value);
    }
}

/// Gives a value of the cell's type, so that only the shape is invalid.
fn filled(draw: &mut Draw) {
    let dtype = draw.output_dtype("output");
    let value = draw.elements(dtype, &[1], Values::Any);
    draw.tensor_attribute("value", &value);
}

pub fn shape_rank_one(draw: &mut Draw) {
    filled(draw);
    if draw.way(2) == 1 {
        draw.int_scalar("input", 3);
    } else {
        draw.int_tensor("input", vec![1, 2], &[2, 3]);
    }
}

pub fn extents_non_negative(draw: &mut Draw) {
    filled(draw);
    let shape = draw.full_shape(1..=4);
    let mut extents: Vec<i64> = shape.iter().map(|&e| e as i64).collect();
    let at = draw.way(extents.len());
    extents[at] = draw.under(0);
    draw.ints("input", &extents);
}

pub fn value_has_one_element(draw: &mut Draw) {
    let dtype = draw.output_dtype("output");
    draw.ints("input", &[2, 3]);
    let shape = draw.way_of(&[vec![2], vec![0], vec![1, 2]]);
    let value = draw.elements(dtype, &shape, Values::Any);
    draw.tensor_attribute("value", &value);
}

pub fn value_type_allowed(draw: &mut Draw) {
    draw.ints("input", &[2, 3]);
    let dtype = constant::foreign_dtype(draw, "T2");
    draw.declare(i64::from(dtype.code()));
    let value = draw.elements(dtype, &[1], Values::Any);
    draw.tensor_attribute("value", &value);
}

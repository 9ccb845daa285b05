//! Draws an axis counted from either end, factors that broadcast to the input, and any choice of outputs.

use crate::families::normalization;
use crate::prelude::*;

pub fn layer_normalization(draw: &mut Draw) {
    let shape = draw.shape(1..=5);
    let values = normalization::values(draw);
    draw.tensor("X", &shape, values);
    let axis = normalization::first_axis(draw, shape.len());
    let scale = normalization::factor_shape(draw, &shape, axis);
    draw.tensor("Scale", &scale, Values::Between(-2.0, 2.0));
    if draw.give_input("B") {
        let bias = normalization::factor_shape(draw, &shape, axis);
        draw.tensor("B", &bias, Values::Between(-2.0, 2.0));
    }
    normalization::epsilon(draw);
    let dtype = draw.dtype("U");
    normalization::stash_type(draw, dtype);
    let outputs = draw.choose(&[[true, true, true], [true, false, false], [true, true, false], [true, false, true]]);
    draw.outputs(&outputs);
}

pub fn axis_in_range(draw: &mut Draw) {
    let shape = draw.full_shape(1..=4);
    draw.tensor("X", &shape, Values::Moderate);
    draw.tensor("Scale", &[1], Values::Moderate);
    let axis = draw.bad_axis(shape.len(), true);
    draw.int_attribute("axis", axis);
}

pub fn scale_broadcasts(draw: &mut Draw) {
    let mut shape = draw.full_shape(1..=4);
    *shape.last_mut().expect("the rank is at least 1") += 1;
    draw.tensor("X", &shape, Values::Moderate);
    let last = shape[shape.len() - 1];
    let wrong = draw.way_of(&[vec![last + 1], vec![if last == 2 { 4 } else { last - 1 }], [&[1], &shape[..]].concat()]);
    if draw.way(2) == 1 {
        draw.tensor("Scale", &[last], Values::Moderate);
        draw.tensor("B", &wrong, Values::Moderate);
    } else {
        draw.tensor("Scale", &wrong, Values::Moderate);
    }
}

pub fn stash_type_allowed(draw: &mut Draw) {
    let shape = draw.full_shape(1..=4);
    draw.tensor("X", &shape, Values::Moderate);
    draw.tensor("Scale", &[1], Values::Moderate);
    let code = draw.foreign_code_or_zero(&[DType::Int64, DType::Float16, DType::Double]);
    draw.int_attribute("stash_type", code);
    draw.outputs(&[true]);
}

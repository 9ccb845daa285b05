//! Rows for Softmax, LogSoftmax and Hardmax.

use crate::prelude::*;

/// Draws elements of which some are minus infinity, as a mask makes them.
fn masked(draw: &mut Draw, shape: &[usize]) -> Tensor {
    let dtype = draw.dtype("T");
    let count: usize = shape.iter().product();
    let elements = draw.elements(dtype, shape, Values::Between(-5.0, 5.0)).to_f64s();
    let which = draw.block(count, 3).into_iter().zip(elements);
    let values: Vec<f64> = which.map(|(which, x)| if which == 2 { f64::NEG_INFINITY } else { x }).collect();
    Tensor::from_f64s(dtype, shape.to_vec(), &values).expect("there are as many values as the shape has elements")
}

/// Gives a tensor with one of these kinds of values, or with masked elements, and the axis of its rows.
pub fn rows(draw: &mut Draw, values: &[Values]) {
    // Each element needs a sum over its whole row.
    if draw.is_large() {
        draw.set_cost(2);
    } else {
        draw.limit_extents(4097);
    }
    let since = draw.since();
    let given = draw.give_attribute("axis");
    // Before version 13 the default axis is 1, and a tensor of rank 1 has no axis 1.
    let least = if given || since >= 13 { 1 } else { 2 };
    let mut shape = draw.full_shape(least..=5);
    if !draw.is_large() && draw.once_in(14) {
        let at = draw.below(shape.len());
        shape[at] = 0;
        draw.feature("empty extent");
    }
    let axis = if given { draw.axis(shape.len(), since >= 11) } else { 1 };
    if given {
        draw.int_attribute("axis", axis);
    }
    if since < 13 && axis.rem_euclid(shape.len() as i64) + 1 < shape.len() as i64 {
        draw.feature("several dimensions in a row");
    }
    let tensor = match draw.below(values.len() + 1) {
        at if at < values.len() => {
            let dtype = draw.dtype("T");
            draw.elements(dtype, &shape, values[at])
        }
        _ => {
            draw.feature("masked elements");
            masked(draw, &shape)
        }
    };
    draw.input("input", tensor);
}

/// Values whose exponentials are small or large.
pub const POWERS: &[Values] = &[
    Values::Between(-8.0, 8.0),
    Values::Integers,
    Values::Moderate,
    Values::Between(-300.0, 300.0),
    Values::Between(500.0, 520.0),
    Values::Any,
];

/// Gives an axis that is out of range. In version 11 it may also be the default, for an input of rank 1.
pub fn axis_out_of_range(draw: &mut Draw) {
    let since = draw.since();
    let shape = draw.full_shape(1..=4);
    draw.tensor("input", &shape, Values::Moderate);
    if since == 11 && shape.len() == 1 && draw.way(2) == 1 {
        return;
    }
    // Version 1 allows an axis after the last dimension, and does not say what a negative axis means.
    let axis = if since == 1 { draw.above(shape.len() as i64) } else { draw.bad_axis(shape.len(), true) };
    draw.int_attribute("axis", axis);
}

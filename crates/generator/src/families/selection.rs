//! Axes and values for ArgMax, ArgMin, TopK and Unique, which select elements by value.

use crate::prelude::*;

/// Values with ties, with edge values, and with NaN.
pub const ORDERED: &[Values] = &[Values::Integers, Values::Finite, Values::Between(-2.0, 2.0), Values::Any];

/// Draws a shape and the axis to select along, whose extent is not 0. The axis is `None` if the attribute is left out.
pub fn shape_and_axis(draw: &mut Draw, negative: bool, empty: bool) -> (Vec<usize>, Option<i64>) {
    let mut shape = draw.full_shape(1..=5);
    let given = draw.give_attribute("axis");
    let axis = if given { draw.axis(shape.len(), negative) } else { draw.default_axis() };
    let at = axis.rem_euclid(shape.len() as i64) as usize;
    draw.move_longest(&mut shape, at);
    if empty && shape.len() > 1 && !draw.is_large() && draw.once_in(14) {
        let other = (at + 1) % shape.len();
        shape[other] = 0;
        draw.feature("empty extent");
    }
    (shape, given.then_some(axis))
}

/// Gives the tensor and the attributes of ArgMax or ArgMin.
pub fn arg_extremum(draw: &mut Draw) {
    // Version 11 requires an input that is not empty. Versions before 11 do not say that an axis may count from the
    // back.
    let since = draw.since();
    let (shape, axis) = shape_and_axis(draw, since >= 11, since != 11);
    if let Some(axis) = axis {
        draw.int_attribute("axis", axis);
    }
    if draw.is_large() {
        let tensor = draw.extremes_at_the_end("data", &shape);
        draw.input("data", tensor);
    } else {
        let values = draw.choose(ORDERED);
        draw.tensor("data", &shape, values);
    }
    if draw.give_attribute("keepdims") {
        let keepdims = draw.range(0..=1);
        draw.int_attribute("keepdims", keepdims);
        if keepdims == 0 {
            draw.feature("keepdims 0");
        }
    }
    if draw.give_attribute("select_last_index") {
        let last = draw.range(0..=1);
        draw.int_attribute("select_last_index", last);
        if last == 1 {
            draw.feature("last index");
        }
    }
}

/// Gives an axis that is out of range, and returns the shape of the input.
pub fn axis_out_of_range(draw: &mut Draw, input: &str) -> Vec<usize> {
    let shape = draw.full_shape(1..=4);
    draw.tensor(input, &shape, Values::Moderate);
    let negative = draw.since() >= 10;
    let axis = if negative { draw.bad_axis(shape.len(), true) } else { draw.above(shape.len() as i64 - 1) };
    draw.int_attribute("axis", axis);
    shape
}

/// Gives an axis of extent 0. No other extent is 0, so the output has elements for which there is nothing to select.
pub fn empty_axis(draw: &mut Draw) {
    let mut shape = draw.full_shape(1..=4);
    let axis = draw.way(shape.len());
    shape[axis] = 0;
    draw.int_attribute("axis", axis as i64);
    draw.tensor("data", &shape, Values::Moderate);
}

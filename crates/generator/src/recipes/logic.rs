//! Recipes for comparisons, And, Or, Xor and the bitwise operators of two tensors.

use plumbline_tensor::Tensor;

use super::binary::{compared, operands, shapes, unbroadcastable, violating_legacy};
use crate::draw::Draw;
use crate::values::Values;

fn comparison(draw: &mut Draw) {
    let [a, b] = shapes(draw);
    let left = draw.tensor("A", &a, Values::Any);
    compared(draw, "B", &b, Values::Any, &left);
}

pub fn equal(draw: &mut Draw) {
    comparison(draw);
}

pub fn greater(draw: &mut Draw) {
    comparison(draw);
}

pub fn less(draw: &mut Draw) {
    comparison(draw);
}

pub fn greater_or_equal(draw: &mut Draw) {
    comparison(draw);
}

pub fn less_or_equal(draw: &mut Draw) {
    comparison(draw);
}

pub fn and(draw: &mut Draw) {
    operands(draw, "A", "B");
}

pub fn or(draw: &mut Draw) {
    operands(draw, "A", "B");
}

pub fn xor(draw: &mut Draw) {
    operands(draw, "A", "B");
}

pub fn bitwise_and(draw: &mut Draw) {
    operands(draw, "A", "B");
}

pub fn bitwise_or(draw: &mut Draw) {
    operands(draw, "A", "B");
}

pub fn bitwise_xor(draw: &mut Draw) {
    operands(draw, "A", "B");
}

pub fn equal_legacy_shapes_broadcast(draw: &mut Draw) {
    violating_legacy(draw, "A", "B");
}

pub fn equal_shapes_broadcast(draw: &mut Draw) {
    unbroadcastable(draw, "A", "B");
}

pub fn greater_legacy_shapes_broadcast(draw: &mut Draw) {
    violating_legacy(draw, "A", "B");
}

pub fn greater_shapes_broadcast(draw: &mut Draw) {
    unbroadcastable(draw, "A", "B");
}

pub fn less_legacy_shapes_broadcast(draw: &mut Draw) {
    violating_legacy(draw, "A", "B");
}

pub fn less_shapes_broadcast(draw: &mut Draw) {
    unbroadcastable(draw, "A", "B");
}

pub fn and_legacy_shapes_broadcast(draw: &mut Draw) {
    violating_legacy(draw, "A", "B");
}

pub fn and_shapes_broadcast(draw: &mut Draw) {
    unbroadcastable(draw, "A", "B");
}

pub fn or_legacy_shapes_broadcast(draw: &mut Draw) {
    violating_legacy(draw, "A", "B");
}

pub fn or_shapes_broadcast(draw: &mut Draw) {
    unbroadcastable(draw, "A", "B");
}

pub fn xor_legacy_shapes_broadcast(draw: &mut Draw) {
    violating_legacy(draw, "A", "B");
}

pub fn xor_shapes_broadcast(draw: &mut Draw) {
    unbroadcastable(draw, "A", "B");
}

pub fn greater_or_equal_shapes_broadcast(draw: &mut Draw) {
    unbroadcastable(draw, "A", "B");
}

pub fn less_or_equal_shapes_broadcast(draw: &mut Draw) {
    unbroadcastable(draw, "A", "B");
}

pub fn bitwise_and_shapes_broadcast(draw: &mut Draw) {
    unbroadcastable(draw, "A", "B");
}

pub fn bitwise_or_shapes_broadcast(draw: &mut Draw) {
    unbroadcastable(draw, "A", "B");
}

pub fn bitwise_xor_shapes_broadcast(draw: &mut Draw) {
    unbroadcastable(draw, "A", "B");
}

fn direction(draw: &mut Draw) {
    let direction = draw.choose(&["RIGHT", "LEFT"]);
    draw.string_attribute("direction", direction);
}

pub fn bit_shift(draw: &mut Draw) {
    let [x, y] = shapes(draw);
    direction(draw);
    draw.tensor("X", &x, Values::Any);
    let dtype = draw.input_dtype("Y");
    let width = i128::from(dtype.bits().unwrap_or(64));
    let outside = draw.once_in(3);
    if outside {
        draw.feature("shift outside of the type's bits");
    }
    let lowest = dtype.integer_range().map_or(0, |(low, _)| low);
    let choices = draw.block(y.iter().product(), 8 * 1024).into_iter();
    let shifts: Vec<i128> = choices
        .map(|choice| (choice % 8, i128::from(choice / 8)))
        .map(|(kind, rest)| match kind {
            6 if outside => width + rest % 3,
            7 if outside => lowest.max(-1 - rest % 9),
            5 => width - 1,
            _ => rest % width,
        })
        .collect();
    let shifts = Tensor::from_i128s(dtype, y.clone(), &shifts).expect("as many elements as the shape says");
    draw.input("Y", shifts);
}

pub fn bit_shift_shapes_broadcast(draw: &mut Draw) {
    direction(draw);
    unbroadcastable(draw, "X", "Y");
}

pub fn bit_shift_direction_known(draw: &mut Draw) {
    let direction = draw.way_of(&["UP", "", "left", "Right"]);
    draw.string_attribute("direction", direction);
    draw.tensor("X", &[3], Values::Any);
    draw.tensor("Y", &[3], Values::Between(0.0, 7.0));
}

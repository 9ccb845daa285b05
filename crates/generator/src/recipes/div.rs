//! Draws two tensors that broadcast. Integer divisions by zero, and of the smallest integer by -1, are rare.

use crate::families::binary;
use crate::prelude::*;

pub fn div(draw: &mut Draw) {
    let [a, b] = binary::shapes(draw);
    let values = binary::values(draw, "A");
    let dividend = draw.tensor("A", &a, values);
    binary::divisor(draw, "B", &b, values, &dividend);
    draw.legacy();
}

pub fn legacy_shapes_broadcast(draw: &mut Draw) {
    binary::legacy_unbroadcastable(draw, "A", "B");
}

pub fn shapes_broadcast(draw: &mut Draw) {
    binary::unbroadcastable(draw, "A", "B");
}

//! Draws two tensors of integers that broadcast.

use crate::families::binary;
use crate::prelude::*;

pub fn bitwise_or(draw: &mut Draw) {
    binary::operands(draw, "A", "B");
}

pub fn shapes_broadcast(draw: &mut Draw) {
    binary::unbroadcastable(draw, "A", "B");
}

//! Draws two tensors that broadcast. Many elements of the second are equal to an element of the first, or differ from
//! it only in the lowest bit.

use crate::families::binary;
use crate::prelude::*;

pub fn greater(draw: &mut Draw) {
    binary::comparison(draw);
}

pub fn legacy_shapes_broadcast(draw: &mut Draw) {
    binary::legacy_unbroadcastable(draw, "A", "B");
}

pub fn shapes_broadcast(draw: &mut Draw) {
    binary::unbroadcastable(draw, "A", "B");
}

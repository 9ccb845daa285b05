//! Draws two tensors that broadcast. Many elements of the second are equal to an element of the first, or differ from
//! it only in the lowest bit.

use crate::families::binary;
use crate::prelude::*;

pub fn less_or_equal(draw: &mut Draw) {
    binary::comparison(draw);
}

pub fn shapes_broadcast(draw: &mut Draw) {
    binary::unbroadcastable(draw, "A", "B");
}

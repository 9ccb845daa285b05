//! Draws two tensors of bool that broadcast; up to version 6 as the attributes `broadcast` and `axis` say.

use crate::families::binary;
use crate::prelude::*;

pub fn or(draw: &mut Draw) {
    binary::operands(draw, "A", "B");
}

pub fn legacy_shapes_broadcast(draw: &mut Draw) {
    binary::legacy_unbroadcastable(draw, "A", "B");
}

pub fn shapes_broadcast(draw: &mut Draw) {
    binary::unbroadcastable(draw, "A", "B");
}

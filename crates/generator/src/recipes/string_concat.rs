//! Draws two tensors of strings that broadcast.

use crate::prelude::*;

pub fn string_concat(draw: &mut Draw) {
    let shapes = draw.broadcastable(2, 0..=4);
    draw.tensor("X", &shapes[0], Values::Any);
    draw.tensor("Y", &shapes[1], Values::Any);
}

pub fn shapes_broadcast(draw: &mut Draw) {
    let (x, y) = draw.unbroadcastable();
    draw.tensor("X", &x, Values::Any);
    draw.tensor("Y", &y, Values::Any);
}

//! Draws three tensors that broadcast.

use crate::prelude::*;

pub fn where_(draw: &mut Draw) {
    let shapes = draw.broadcastable(3, 0..=8);
    for (input, shape) in ["condition", "X", "Y"].into_iter().zip(&shapes) {
        draw.tensor(input, shape, Values::Any);
    }
}

pub fn shapes_broadcast(draw: &mut Draw) {
    let (a, b) = draw.unbroadcastable();
    let all = [a, b, vec![]];
    // Any two of the three inputs may be the ones that do not broadcast.
    let first = draw.way(3);
    for (position, input) in ["condition", "X", "Y"].into_iter().enumerate() {
        draw.tensor(input, &all[(first + position) % 3], Values::Any);
    }
}

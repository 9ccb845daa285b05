//! Draws numbers around zero, where the function bends, and biases: one number for each position along the last axis, or
//! another shape that broadcasts.

use crate::families::activation;
use crate::prelude::*;

pub fn fast_gelu(draw: &mut Draw) {
    if !draw.give_input("bias") {
        return activation::input_around_zero(draw, "X");
    }
    let x = draw.shape(1..=6);
    let mut bias = vec![x[x.len() - 1]];
    if draw.once_in(4) {
        draw.feature("a bias of another shape");
        bias = match draw.below(3) {
            0 => vec![],
            1 => vec![1; x.len()],
            _ => x.clone(),
        };
    }
    let values = draw.choose(&[Values::Mostly(-6.0, 6.0), Values::Mostly(-30.0, 30.0), Values::Any]);
    draw.tensor("X", &x, values);
    draw.tensor("bias", &bias, values);
}

/// Gives a bias that does not broadcast to `X`.
pub fn bias_broadcasts(draw: &mut Draw) {
    activation::does_not_broadcast_to_x(draw, "bias");
}

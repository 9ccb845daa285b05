//! Draws what Cast draws, with a tensor of the target type.

use crate::families::cast;
use crate::prelude::*;

fn target_type(draw: &mut Draw) {
    let shape = draw.shape(0..=3);
    draw.tensor("target_type", &shape, Values::Any);
}

pub fn cast_like(draw: &mut Draw) {
    let to = draw.dtype("T2");
    cast::conversion(draw, to);
    target_type(draw);
}

pub fn round_mode_known(draw: &mut Draw) {
    cast::unknown_round_mode(draw);
    target_type(draw);
}

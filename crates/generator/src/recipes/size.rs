//! Draws a tensor of any shape.

use crate::prelude::*;

pub fn size(draw: &mut Draw) {
    let shape = draw.shape(0..=8);
    draw.tensor("data", &shape, Values::Any);
}

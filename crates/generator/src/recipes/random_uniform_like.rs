//! Draws shapes, some large enough to show a distribution, with lower and upper bounds.

use crate::families::random;
use crate::prelude::*;

pub fn random_uniform_like(draw: &mut Draw) {
    random::input_of_shape(draw);
    random::low_and_high(draw);
}

pub fn dtype_allowed(draw: &mut Draw) {
    draw.tensor("input", &[3], Values::Any);
    random::foreign_dtype(draw);
}

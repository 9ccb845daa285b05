//! Draws shapes, some large enough to show a distribution, with means and scales.

use crate::families::random;
use crate::prelude::*;

pub fn random_normal_like(draw: &mut Draw) {
    random::input_of_shape(draw);
    random::mean_and_scale(draw);
}

pub fn dtype_allowed(draw: &mut Draw) {
    draw.tensor("input", &[3], Values::Any);
    random::foreign_dtype(draw);
}

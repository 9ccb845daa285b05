//! Draws shapes, some large enough to show a distribution, with lower and upper bounds.

use crate::families::random;
use crate::prelude::*;

pub fn random_uniform(draw: &mut Draw) {
    random::shape_and_dtype(draw);
    random::low_and_high(draw);
}

pub fn dtype_allowed(draw: &mut Draw) {
    random::foreign_dtype(draw);
    draw.ints_attribute("shape", &[3]);
}

pub fn extents_non_negative(draw: &mut Draw) {
    random::negative_extent(draw);
}

//! Draws shapes, some large enough to show a distribution, with lower and upper bounds.

use crate::families::random;
use crate::prelude::*;

pub use crate::families::random::negative_extent as extents_non_negative;

pub fn random_uniform(draw: &mut Draw) {
    random::shape_and_dtype(draw);
    random::low_and_high(draw);
}

pub fn dtype_allowed(draw: &mut Draw) {
    random::foreign_dtype(draw);
    draw.ints_attribute("shape", &[3]);
}

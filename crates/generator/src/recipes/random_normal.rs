//! Draws shapes, some large enough to show a distribution, with means and scales.

use crate::families::random;
use crate::prelude::*;

pub use crate::families::random::negative_extent as extents_non_negative;

pub fn random_normal(draw: &mut Draw) {
    random::shape_and_dtype(draw);
    random::mean_and_scale(draw);
}

pub fn dtype_allowed(draw: &mut Draw) {
    random::foreign_dtype(draw);
    draw.ints_attribute("shape", &[3]);
}

//! Draws numbers that are mostly at least 1, because acosh is undefined below 1. They go up to 3, or up to 60,000,
//! which is near the largest float16.

use crate::families::unary;
use crate::prelude::*;

pub fn acosh(draw: &mut Draw) {
    let values = draw.choose(&[Values::Mostly(1.0, 3.0), Values::Mostly(1.0, 6e4)]);
    unary::elementwise(draw, "input", values);
}

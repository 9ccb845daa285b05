//! Draws numbers that are mostly at least 1, where the function exists: up to 3, or up to near the end of float16.

use crate::families::unary;
use crate::prelude::*;

pub fn acosh(draw: &mut Draw) {
    let values = draw.choose(&[Values::Mostly(1.0, 3.0), Values::Mostly(1.0, 6e4)]);
    unary::elementwise(draw, "input", values);
}

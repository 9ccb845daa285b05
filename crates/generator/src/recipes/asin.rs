//! Draws numbers mostly between -1 and 1, where the arcsine is defined.

use crate::families::unary;
use crate::prelude::*;

pub fn asin(draw: &mut Draw) {
    unary::elementwise(draw, "input", Values::Mostly(-1.0, 1.0));
}

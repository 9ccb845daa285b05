//! Draws a tensor of any shape with any values.

use crate::families::unary;
use crate::prelude::*;

pub fn sign(draw: &mut Draw) {
    unary::elementwise(draw, "input", Values::Any);
}

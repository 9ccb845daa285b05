//! Draws a tensor of any shape with any values.

use crate::families::unary;
use crate::prelude::*;

pub fn reciprocal(draw: &mut Draw) {
    unary::elementwise(draw, "X", Values::Any);
}

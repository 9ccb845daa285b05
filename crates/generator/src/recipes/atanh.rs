//! Draws numbers that are mostly between -1 and 1, because atanh is undefined elsewhere.

use crate::families::unary;
use crate::prelude::*;

pub fn atanh(draw: &mut Draw) {
    unary::elementwise(draw, "input", Values::Mostly(-1.0, 1.0));
}

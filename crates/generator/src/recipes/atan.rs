//! Draws numbers mostly between -3 and 3, where the arctangent changes most, or any numbers of the type.

use crate::families::unary;
use crate::prelude::*;

pub fn atan(draw: &mut Draw) {
    let values = draw.choose(&[Values::Mostly(-3.0, 3.0), Values::Any]);
    unary::elementwise(draw, "input", values);
}

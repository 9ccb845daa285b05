//! Draws numbers mostly between -3 and 3, or any numbers of the type.

use crate::families::unary;
use crate::prelude::*;

pub fn asinh(draw: &mut Draw) {
    let values = draw.choose(&[Values::Mostly(-3.0, 3.0), Values::Any]);
    unary::elementwise(draw, "input", values);
}

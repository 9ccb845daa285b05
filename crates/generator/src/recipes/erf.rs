//! Draws numbers mostly between -4 and 4, where the function is not constant, or any numbers of the type.

use crate::families::unary;
use crate::prelude::*;

pub fn erf(draw: &mut Draw) {
    let values = draw.choose(&[Values::Mostly(-4.0, 4.0), Values::Any]);
    unary::elementwise(draw, "input", values);
}

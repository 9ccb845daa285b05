//! Draws numbers mostly near zero, numbers so large in magnitude that the result rounds to 0 or 1, or any numbers of
//! the type.

use crate::families::unary;
use crate::prelude::*;

pub fn sigmoid(draw: &mut Draw) {
    let values = draw.choose(&[Values::Mostly(-6.0, 6.0), Values::Mostly(-100.0, 100.0), Values::Any]);
    unary::elementwise(draw, "X", values);
}

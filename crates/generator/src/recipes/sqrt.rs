//! Draws numbers mostly between 0 and 20 or between 0 and 10,000, or any numbers of the type.

use crate::families::unary;
use crate::prelude::*;

pub fn sqrt(draw: &mut Draw) {
    let values = draw.choose(&[Values::Mostly(0.0, 20.0), Values::Mostly(0.0, 1e4), Values::Any]);
    unary::elementwise(draw, "X", values);
}

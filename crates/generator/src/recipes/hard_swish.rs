//! Draws numbers mostly between -4 and 4, so that some are between the bends of the function, or any numbers of the
//! type.

use crate::families::unary;
use crate::prelude::*;

pub fn hard_swish(draw: &mut Draw) {
    let values = draw.choose(&[Values::Mostly(-4.0, 4.0), Values::Any]);
    unary::elementwise(draw, "X", values);
}

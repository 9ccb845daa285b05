//! Draws numbers that mostly have a root, small or large ones; some are negative, infinite or NaN.

use crate::families::unary;
use crate::prelude::*;

pub fn sqrt(draw: &mut Draw) {
    let values = draw.choose(&[Values::Mostly(0.0, 20.0), Values::Mostly(0.0, 1e4), Values::Any]);
    unary::elementwise(draw, "X", values);
}

//! Draws numbers mostly near zero, numbers so large that a power overflows on the way, or anything.

use crate::families::unary;
use crate::prelude::*;

pub fn softplus(draw: &mut Draw) {
    // In float, the power overflows from 88.8 on; in float16, from 11.1 on.
    let values = draw.choose(&[Values::Mostly(-6.0, 6.0), Values::Mostly(-100.0, 100.0), Values::Any]);
    unary::elementwise(draw, "X", values);
}

//! Draws numbers mostly near zero, numbers so large that their exponential overflows on the way, or any numbers of the
//! type.

use crate::families::unary;
use crate::prelude::*;

pub fn softplus(draw: &mut Draw) {
    // In float, the exponential overflows from 88.8 on; in float16, from 11.1 on.
    let values = draw.choose(&[Values::Mostly(-6.0, 6.0), Values::Mostly(-100.0, 100.0), Values::Any]);
    unary::elementwise(draw, "X", values);
}

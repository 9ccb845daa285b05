//! Draws numbers whose exponentials are mostly in range, numbers up to where float overflows, or any numbers of the
//! type.

use crate::families::unary;
use crate::prelude::*;

pub fn exp(draw: &mut Draw) {
    // The result overflows in float from 88.8 on, and in float16 from 11.1 on.
    let values = draw.choose(&[Values::Mostly(-12.0, 12.0), Values::Mostly(-110.0, 90.0), Values::Any]);
    unary::elementwise(draw, "input", values);
}

//! Draws mostly positive numbers, which go up to 4 or nearly to the largest number of float16, or any numbers of the
//! type.

use crate::families::unary;
use crate::prelude::*;

pub fn log(draw: &mut Draw) {
    let values = draw.choose(&[Values::Mostly(0.0, 4.0), Values::Mostly(0.0, 6e4), Values::Any]);
    unary::elementwise(draw, "input", values);
}

//! Draws numbers around zero, where the function bends.

use crate::families::activation;
use crate::prelude::*;

pub fn mish(draw: &mut Draw) {
    activation::input_around_zero(draw, "X");
}

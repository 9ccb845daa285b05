//! Draws numbers around zero, where the function bends, with coefficients of either sign and 0.

use crate::families::activation;
use crate::prelude::*;

pub fn quick_gelu(draw: &mut Draw) {
    activation::input_around_zero(draw, "X");
    activation::coefficient(draw, "alpha", &[2.0, 0.1, 1.0, -0.5, 0.0]);
}

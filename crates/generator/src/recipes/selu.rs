//! Draws numbers around zero, where the function bends, with two coefficients of either sign.

use crate::families::activation;
use crate::prelude::*;

pub fn selu(draw: &mut Draw) {
    activation::input_around_zero(draw, "X");
    activation::coefficient(draw, "alpha", &[2.0, 0.1, 1.7, -0.5]);
    activation::coefficient(draw, "gamma", &[2.0, 0.3, 1.1, -1.5]);
}

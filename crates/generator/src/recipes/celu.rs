//! Draws numbers around zero, where the function bends, with coefficients of either sign.

use crate::families::activation;
use crate::prelude::*;

pub fn celu(draw: &mut Draw) {
    activation::input_around_zero(draw, "X");
    activation::coefficient(draw, "alpha", &[2.0, 0.1, 3.7, 0.5, -1.5]);
}

//! Draws numbers mostly between -4 and 4, so that some are between the bends of the function, or any numbers of the
//! type. Also draws slopes and offsets, which move the bends.

use crate::families::{activation, unary};
use crate::prelude::*;

pub fn hard_sigmoid(draw: &mut Draw) {
    let values = draw.choose(&[Values::Mostly(-4.0, 4.0), Values::Any]);
    unary::elementwise(draw, "X", values);
    activation::coefficient(draw, "alpha", &[0.5, 0.1, 1.0, -0.3, 0.0]);
    activation::coefficient(draw, "beta", &[0.25, 0.6, 0.0, -0.5, 1.5]);
}

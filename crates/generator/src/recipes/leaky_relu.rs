//! Draws any values, with slopes below and above 1, negative ones and 0.

use crate::families::{activation, unary};
use crate::prelude::*;

pub fn leaky_relu(draw: &mut Draw) {
    unary::elementwise(draw, "X", Values::Any);
    activation::coefficient(draw, "alpha", &[0.5, 0.1, 2.0, -0.3, 0.0]);
}

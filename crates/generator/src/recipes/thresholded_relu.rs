//! Draws elements of which a third are the threshold, rounded to the type.

use crate::families::{activation, unary};
use crate::prelude::*;

pub fn thresholded_relu(draw: &mut Draw) {
    let alpha = activation::coefficient(draw, "alpha", &[0.5, 0.3, 0.0, 2.0, -1.0]);
    let values = draw.choose(&[Values::Any, Values::Mostly(0.25, 0.35)]);
    unary::elementwise_at(draw, "X", values, &[alpha]);
}

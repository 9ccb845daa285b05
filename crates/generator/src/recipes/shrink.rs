//! Draws elements of which a third are `lambd` or `-lambd`, as far as the type has these numbers.

use crate::families::{activation, unary};
use crate::prelude::*;

pub fn shrink(draw: &mut Draw) {
    let lambd = activation::coefficient(draw, "lambd", &[1.5, 0.3, 0.0, 2.0, 4.0, -1.5]);
    unary::elementwise_at(draw, "input", Values::Any, &[lambd, -lambd]);
    activation::coefficient(draw, "bias", &[1.5, 0.3, 2.0, 1.0, -1.0]);
}

//! Draws tensors in which NaN is frequent.

use crate::families::unary;
use crate::prelude::*;

pub fn is_nan(draw: &mut Draw) {
    unary::elementwise_at(draw, "X", Values::Any, &[f64::NAN]);
}

//! Draws rows of small and large exponents, and rows with masked elements; up to version 12 a row spans several
//! dimensions.

use crate::families::softmax;
use crate::prelude::*;

pub fn log_softmax(draw: &mut Draw) {
    softmax::rows(draw, softmax::POWERS);
}

pub fn axis_in_range(draw: &mut Draw) {
    softmax::axis_out_of_range(draw);
}

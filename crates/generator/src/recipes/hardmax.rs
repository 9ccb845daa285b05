//! Draws rows with ties and rows with masked elements; up to version 12 a row spans several dimensions.

use crate::families::softmax;
use crate::prelude::*;

pub fn hardmax(draw: &mut Draw) {
    softmax::rows(draw, &[Values::Integers, Values::Finite, Values::Between(-1.0, 1.0), Values::Any]);
}

pub fn axis_in_range(draw: &mut Draw) {
    softmax::axis_out_of_range(draw);
}

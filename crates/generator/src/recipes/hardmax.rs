//! Draws rows with ties and rows with masked elements; up to version 12 a row may span several dimensions.

use crate::families::softmax;
use crate::prelude::*;

pub use crate::families::softmax::axis_out_of_range as axis_in_range;

pub fn hardmax(draw: &mut Draw) {
    softmax::rows(draw, &[Values::Integers, Values::Finite, Values::Between(-1.0, 1.0), Values::Any]);
}

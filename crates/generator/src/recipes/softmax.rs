//! Draws rows of small and large exponents, and rows with masked elements; before version 13 a row may span several
//! dimensions.

use crate::families::softmax;
use crate::prelude::*;

pub use crate::families::softmax::axis_out_of_range as axis_in_range;

pub fn softmax(draw: &mut Draw) {
    softmax::rows(draw, softmax::POWERS);
}

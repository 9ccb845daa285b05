//! Draws windows of one element, of two, and longer ones, periodic and symmetric.

use crate::families::window_function;
use crate::prelude::*;

pub fn hann_window(draw: &mut Draw) {
    window_function::window(draw);
}

pub fn size_positive(draw: &mut Draw) {
    window_function::wrong_size(draw);
}

pub fn output_datatype_allowed(draw: &mut Draw) {
    window_function::wrong_datatype(draw);
}

//! Draws windows of one element, of two, and longer ones, periodic and symmetric.

use crate::families::window_function;
use crate::prelude::*;

pub use crate::families::window_function::{wrong_datatype as output_datatype_allowed, wrong_size as size_positive};

pub fn hamming_window(draw: &mut Draw) {
    window_function::window(draw);
}

//! Draws tensors with ties, edge values and NaN, and an axis, which may count from the back from version 11 on.

use crate::families::selection;
use crate::prelude::*;

pub use crate::families::selection::empty_axis as data_not_empty;

pub fn arg_min(draw: &mut Draw) {
    selection::arg_extremum(draw);
}

pub fn axis_in_range(draw: &mut Draw) {
    selection::axis_out_of_range(draw, "data");
}

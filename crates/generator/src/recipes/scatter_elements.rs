//! Draws indices that may be narrower than the data on the axes other than `axis`. Indices repeat only where the
//! version defines the result or leaves the order of the updates open.

use crate::families::scatter;
use crate::prelude::*;

pub use crate::families::scatter::{
    axis_out_of_range as axis_in_range, index_out_of_range as indices_in_range, indices_too_wide as indices_fit_data,
    wrong_ranks as ranks_equal, wrong_updates as updates_shape_fits,
};

pub fn scatter_elements(draw: &mut Draw) {
    scatter::along_an_axis(draw);
}

pub fn reduction_known(draw: &mut Draw) {
    let (_, axis) = scatter::one_line(draw, 1, 1);
    draw.int_attribute("axis", axis as i64);
    scatter::unknown_reduction(draw);
}

//! Draws indices that are narrower than the data on the other axes. Indices repeat only where the version says what
//! happens then, or leaves the order open.

use crate::families::scatter;
use crate::prelude::*;

pub fn scatter_elements(draw: &mut Draw) {
    scatter::along_an_axis(draw);
}

pub fn ranks_equal(draw: &mut Draw) {
    scatter::wrong_ranks(draw);
}

pub fn updates_shape_fits(draw: &mut Draw) {
    scatter::wrong_updates(draw);
}

pub fn axis_in_range(draw: &mut Draw) {
    scatter::axis_out_of_range(draw);
}

pub fn indices_in_range(draw: &mut Draw) {
    scatter::index_out_of_range(draw);
}

pub fn indices_fit_data(draw: &mut Draw) {
    scatter::indices_too_wide(draw);
}

pub fn reduction_known(draw: &mut Draw) {
    let (_, axis) = scatter::one_line(draw, 1, 1);
    draw.int_attribute("axis", axis as i64);
    scatter::unknown_reduction(draw);
}

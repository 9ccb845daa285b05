//! Draws inputs with batches and channels, with and without further axes.

use crate::families::normalization;
use crate::prelude::*;

/// Returns the ranks of an input that has batches and channels.
fn ranks(draw: &Draw) -> std::ops::RangeInclusive<usize> {
    if draw.since() == 1 { 4..=4 } else { 2..=5 }
}

pub fn instance_normalization(draw: &mut Draw) {
    let ranks = ranks(draw);
    let shape = draw.shape(ranks);
    let values = normalization::values(draw);
    draw.tensor("input", &shape, values);
    normalization::scale_and_bias(draw, ["scale", "B"], shape[1]);
    normalization::epsilon(draw);
    draw.legacy();
}

pub fn input_has_channels(draw: &mut Draw) {
    let shape = if draw.since() == 1 { draw.way_of(&[vec![2, 3, 4], vec![2, 3]]) } else { vec![3] };
    draw.tensor("input", &shape, Values::Moderate);
    normalization::scale_and_bias(draw, ["scale", "B"], 3);
}

pub fn parameter_shapes_fit(draw: &mut Draw) {
    let ranks = ranks(draw);
    let shape = draw.full_shape(ranks);
    draw.tensor("input", &shape, Values::Moderate);
    let [scale, bias] = draw.way_of(&[[1, 0], [0, 1], [-1, 0], [0, -1], [1, 1]]);
    let beside = |off: isize| shape[1].saturating_add_signed(off);
    draw.tensor("scale", &[beside(scale)], Values::Moderate);
    draw.tensor("B", &[beside(bias)], Values::Moderate);
}

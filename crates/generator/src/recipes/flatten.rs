//! Draws every axis from the first to the one after the last, counted from either end where the version allows it.

use crate::prelude::*;

pub fn flatten(draw: &mut Draw) {
    let shape = draw.shape(0..=6);
    let rank = shape.len() as i64;
    draw.tensor("input", &shape, Values::Any);
    // The default axis needs a rank of at least 1.
    if draw.give_attribute("axis") || rank == 0 {
        let least = if draw.since() < 11 { 0 } else { -rank };
        let axis = draw.range(least..=rank);
        draw.int_attribute("axis", axis);
        match axis {
            0 => draw.feature("flattened from the first axis"),
            axis if axis == rank => draw.feature("flattened up to the last axis"),
            axis if axis < 0 => draw.feature("negative axis"),
            _ => {}
        }
    }
}

pub fn axis_in_range(draw: &mut Draw) {
    let shape = draw.full_shape(0..=4);
    let rank = shape.len() as i64;
    draw.tensor("input", &shape, Values::Any);
    let low = if draw.since() < 11 { -1 } else { -rank - 1 };
    let axis = draw.beyond(low + 1, rank);
    draw.int_attribute("axis", axis);
}

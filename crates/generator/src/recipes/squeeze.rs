//! Draws shapes with up to three additional extents of 1, of which some or all are removed.

use crate::families::axes;
use crate::prelude::*;

/// Draws a shape with `least` to 3 additional extents of 1.
fn with_ones(draw: &mut Draw, least: usize) -> Vec<usize> {
    let mut shape = draw.shape(0..=4);
    for _ in 0..draw.range(least as i64..=3) {
        let at = draw.below(shape.len() + 1);
        shape.insert(at, 1);
    }
    shape
}

pub fn squeeze(draw: &mut Draw) {
    let given = if draw.has_attribute("axes") { draw.give_attribute("axes") } else { draw.give_input("axes") };
    let shape = with_ones(draw, usize::from(given));
    draw.tensor("data", &shape, Values::Any);
    if !given {
        return;
    }
    let mut ones: Vec<usize> = (0..shape.len()).filter(|&d| shape[d] == 1).collect();
    while ones.len() > 1 && draw.flag() {
        let at = draw.below(ones.len());
        ones.remove(at);
        draw.feature("an extent of 1 stays");
    }
    let axes = axes::in_any_order(draw, &ones, shape.len());
    axes::give(draw, &axes);
}

pub fn axes_in_range(draw: &mut Draw) {
    let shape = with_ones(draw, 1);
    draw.tensor("data", &shape, Values::Any);
    let axis = draw.bad_axis(shape.len(), draw.since() >= 11);
    axes::give(draw, &[axis]);
}

pub fn selected_extents_are_one(draw: &mut Draw) {
    let mut shape = with_ones(draw, 1);
    let at = draw.way(shape.len());
    shape[at] = draw.way_of(&[2, 3, 0]);
    draw.tensor("data", &shape, Values::Any);
    axes::give(draw, &[at as i64]);
}

pub fn axes_rank_one(draw: &mut Draw) {
    draw.tensor("data", &[2, 1, 3], Values::Any);
    let shape = draw.way_of(&[vec![], vec![1, 1]]);
    draw.int_tensor("axes", shape, &[1]);
}

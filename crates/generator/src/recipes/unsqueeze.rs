//! Draws up to three new axes in any order, counted from either end where the version allows it.

use crate::families::axes;
use crate::prelude::*;

pub fn unsqueeze(draw: &mut Draw) {
    let shape = draw.shape(0..=5);
    draw.tensor("data", &shape, Values::Any);
    let least = if draw.has_attribute("axes") { 1 } else { 0 };
    let count = draw.range(least..=3) as usize;
    let rank = shape.len() + count;
    let mut free: Vec<usize> = (0..rank).collect();
    let mut axes = Vec::new();
    for _ in 0..count {
        let at = draw.below(free.len());
        axes.push(free.remove(at));
    }
    if count == 0 {
        draw.feature("no axes");
    }
    let axes = axes::in_any_order(draw, &axes, rank);
    axes::give(draw, &axes);
}

pub fn axes_in_range(draw: &mut Draw) {
    let shape = draw.full_shape(0..=4);
    draw.tensor("data", &shape, Values::Any);
    let axis = draw.bad_axis(shape.len() + 1, draw.since() >= 11);
    axes::give(draw, &[axis]);
}

pub fn axes_unique(draw: &mut Draw) {
    let shape = draw.full_shape(0..=4);
    draw.tensor("data", &shape, Values::Any);
    let rank = shape.len() as i64 + 2;
    let axis = draw.range(0..=rank - 1);
    let again = if draw.since() >= 11 && draw.way(2) == 1 { axis - rank } else { axis };
    axes::give(draw, &[axis, again]);
}

pub fn axes_rank_one(draw: &mut Draw) {
    draw.tensor("data", &[2, 3], Values::Any);
    let shape = draw.way_of(&[vec![], vec![1, 1]]);
    draw.int_tensor("axes", shape, &[1]);
}

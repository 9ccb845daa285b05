//! Draws any axes, counted from either end. Inputs whose elements are all equal are rare, because the specification
//! allows almost any result for them.

use crate::families::normalization;
use crate::prelude::*;

pub fn mean_variance_normalization(draw: &mut Draw) {
    let given = draw.give_attribute("axes");
    // Rank 4 is frequent, because a backend that ignores `axes` then gives a wrong answer instead of refusing the node.
    let ranks = if given { draw.turn(&[1..=5, 4..=4, 4..=5, 4..=4, 1..=5, 1..=5]) } else { 4..=5 };
    let shape = draw.shape(ranks);
    // If all elements are equal, the function body divides a rounding error by 1e-9, so that almost any result is
    // allowed. Most cases therefore have elements that differ.
    let values = match draw.once_in(4) {
        true => normalization::values(draw),
        false => {
            draw.choose(&[Values::Between(-2.0, 2.0), Values::Integers, Values::Moderate, Values::Mostly(-2.0, 2.0)])
        }
    };
    draw.tensor("X", &shape, values);
    if !given {
        return;
    }
    let mut axes: Vec<i64> = (0..shape.len() as i64).filter(|_| draw.flag()).collect();
    if axes.is_empty() {
        axes.push(0);
    }
    if draw.once_in(3) {
        draw.feature("negative axes");
        axes.iter_mut().for_each(|axis| *axis -= shape.len() as i64);
    }
    draw.ints_attribute("axes", &axes);
}

pub fn axes_in_range(draw: &mut Draw) {
    // The default axes (0, 2 and 3) need a rank of at least 4, so that a lower rank is invalid without `axes`.
    let shape = draw.full_shape(1..=3);
    draw.tensor("X", &shape, Values::Moderate);
    if draw.way(2) == 1 {
        let axis = draw.bad_axis(shape.len(), true);
        draw.ints_attribute("axes", &[axis]);
    }
}

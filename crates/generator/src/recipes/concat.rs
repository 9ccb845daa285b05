//! Draws one to four tensors whose extents along the axis may differ. Some of the tensors are empty.

use crate::families::axes;
use crate::prelude::*;

pub fn concat(draw: &mut Draw) {
    let given = draw.give_attribute("axis");
    let mut shape = draw.shape(if given { 1..=5 } else { 2..=5 });
    let axis = if given { draw.below(shape.len()) } else { 1 };
    let count = draw.range(1..=4);
    if count == 1 {
        draw.feature("one input");
    }
    for _ in 0..count {
        shape[axis] = if draw.once_in(8) { 0 } else { draw.range(1..=4) as usize };
        if shape[axis] == 0 {
            draw.feature("an empty input");
        }
        draw.tensor("inputs", &shape, Values::Any);
    }
    if given {
        let axis = axes::from_either_end(draw, axis, shape.len());
        draw.int_attribute("axis", axis);
    }
}

pub fn axis_in_range(draw: &mut Draw) {
    let shape = draw.full_shape(0..=4);
    draw.tensor("inputs", &shape, Values::Any);
    draw.tensor("inputs", &shape, Values::Any);
    let axis = if draw.since() >= 11 { draw.bad_axis(shape.len(), true) } else { draw.above(shape.len() as i64 - 1) };
    draw.int_attribute("axis", axis);
}

/// Gives inputs that differ in rank, or in an extent besides the one along the axis.
pub fn other_extents_equal(draw: &mut Draw) {
    let shape = draw.full_shape(2..=4);
    let axis = draw.way(shape.len());
    let mut other = shape.clone();
    if draw.way(2) == 1 {
        other.push(1);
    } else {
        let at = (axis + 1 + draw.way(shape.len() - 1)) % shape.len();
        other[at] = draw.other_extent(other[at]);
    }
    draw.tensor("inputs", &shape, Values::Any);
    draw.tensor("inputs", &other, Values::Any);
    draw.int_attribute("axis", axis as i64);
}

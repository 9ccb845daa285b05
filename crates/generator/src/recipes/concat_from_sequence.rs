//! Draws one to four tensors of a sequence, which are joined along an axis or stacked along a new one.

use crate::families::sequence;
use crate::prelude::*;

pub fn concat_from_sequence(draw: &mut Draw) {
    let dtype = sequence::element_type(draw);
    let new_axis = draw.give_attribute("new_axis");
    let stacks = new_axis && draw.flag();
    if new_axis {
        draw.int_attribute("new_axis", i64::from(stacks));
    }
    let mut shape = if stacks { draw.shape(0..=4) } else { draw.shape(1..=5) };
    let axis = sequence::axis(draw, shape.len() + usize::from(stacks));
    if stacks {
        draw.feature("a new axis");
    }
    let count = draw.range(1..=4);
    let mut tensors = Vec::new();
    for _ in 0..count {
        if !stacks {
            shape[axis] = draw.choose(&[1, 2, 3, 0]);
        }
        tensors.push(draw.elements(dtype, &shape, Values::Any));
    }
    sequence::give(draw, dtype, tensors);
}

pub fn axis_in_range(draw: &mut Draw) {
    let dtype = sequence::element_type(draw);
    let stacks = draw.way(2) == 1;
    let shape = draw.full_shape(0..=3);
    draw.int_attribute("new_axis", i64::from(stacks));
    let bad = draw.bad_axis(shape.len() + usize::from(stacks), true);
    draw.int_attribute("axis", bad);
    let tensors = (0..2).map(|_| draw.elements(dtype, &shape, Values::Any)).collect();
    sequence::give(draw, dtype, tensors);
}

/// Gives two tensors that differ in rank, or in an extent besides the one along the axis. With a new axis, all extents
/// have to be equal.
pub fn other_extents_equal(draw: &mut Draw) {
    let dtype = sequence::element_type(draw);
    let stacks = draw.way(2) == 1;
    draw.int_attribute("new_axis", i64::from(stacks));
    let shape = draw.full_shape(2..=4);
    let at = draw.way(shape.len());
    draw.int_attribute("axis", at as i64);
    let mut other = shape.clone();
    if draw.way(2) == 1 {
        other.push(1);
    } else {
        let at = (at + usize::from(!stacks)) % shape.len();
        other[at] = draw.other_extent(other[at]);
    }
    let tensors = [shape, other].iter().map(|s| draw.elements(dtype, s, Values::Any)).collect();
    sequence::give(draw, dtype, tensors);
}

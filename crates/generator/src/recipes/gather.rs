//! Draws indices of rank 0 to 3 along an axis, counted from either end where the version allows it. The first and the
//! last element of the axis are chosen more often than others.

use crate::families::indices;
use crate::prelude::*;

pub fn gather(draw: &mut Draw) {
    let mut data = draw.shape(1..=4);
    if !draw.is_large() {
        draw.tensor("data", &data, Values::Any);
    }
    let given = draw.give_attribute("axis");
    let axis = if given { draw.axis(data.len(), true) } else { 0 };
    let at = axis.rem_euclid(data.len() as i64) as usize;
    if draw.is_large() {
        draw.move_longest(&mut data, at);
        draw.tensor("data", &data, Values::Any);
    }
    let extent = data[at];
    let mut shape = draw.full_shape(0..=2);
    if extent == 0 {
        // The axis has no elements to choose, so there are no indices.
        shape.insert(0, 0);
    } else if !shape.is_empty() && draw.once_in(10) {
        shape[0] = 0;
        draw.feature("no index");
    }
    let negative = draw.since() >= 11;
    let count: usize = shape.iter().product();
    let indices: Vec<i64> = (0..count).map(|_| indices::index(draw, extent, negative)).collect();
    if shape.is_empty() {
        draw.feature("scalar index");
    }
    draw.int_tensor("indices", shape, &indices);
    if given {
        draw.int_attribute("axis", axis);
    }
}

pub fn rank_at_least_one(draw: &mut Draw) {
    draw.tensor("data", &[], Values::Any);
    draw.int_tensor("indices", vec![1], &[0]);
}

pub fn axis_in_range(draw: &mut Draw) {
    let data = draw.full_shape(1..=4);
    draw.tensor("data", &data, Values::Any);
    draw.int_tensor("indices", vec![1], &[0]);
    let axis = draw.bad_axis(data.len(), true);
    draw.int_attribute("axis", axis);
}

pub fn indices_in_range(draw: &mut Draw) {
    let data = draw.full_shape(1..=4);
    draw.tensor("data", &data, Values::Any);
    let axis = draw.way(data.len());
    let mut indices = vec![0; 3];
    let at = draw.way(3);
    indices[at] = indices::out_of_range(draw, data[axis]);
    draw.int_tensor("indices", vec![3], &indices);
    draw.int_attribute("axis", axis as i64);
}

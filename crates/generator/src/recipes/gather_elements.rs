//! Draws indices whose extents on the axes other than `axis` are at most those of the data.

use crate::families::indices;
use crate::prelude::*;

pub fn gather_elements(draw: &mut Draw) {
    let data = draw.shape(1..=4);
    draw.tensor("data", &data, Values::Any);
    let given = draw.give_attribute("axis");
    let axis = if given { draw.axis(data.len(), true) } else { 0 };
    let at = axis.rem_euclid(data.len() as i64) as usize;
    let shape = indices::narrower_shape(draw, &data, at);
    if (0..data.len()).any(|d| d != at && shape[d] < data[d]) {
        draw.feature("narrower indices");
    }
    let count: usize = shape.iter().product();
    let indices: Vec<i64> = (0..count).map(|_| indices::index(draw, data[at], true)).collect();
    draw.int_tensor("indices", shape, &indices);
    if given {
        draw.int_attribute("axis", axis);
    }
}

pub fn ranks_equal(draw: &mut Draw) {
    indices::of_another_rank(draw);
}

pub fn axis_in_range(draw: &mut Draw) {
    let data = draw.full_shape(1..=4);
    draw.tensor("data", &data, Values::Any);
    draw.int_tensor("indices", vec![1; data.len()], &[0]);
    let axis = draw.bad_axis(data.len(), true);
    draw.int_attribute("axis", axis);
}

pub fn indices_in_range(draw: &mut Draw) {
    let data = draw.full_shape(1..=4);
    draw.tensor("data", &data, Values::Any);
    let axis = draw.way(data.len());
    let mut shape = vec![1; data.len()];
    shape[axis] = 3;
    let mut indices = vec![0; 3];
    let at = draw.way(3);
    indices[at] = indices::out_of_range(draw, data[axis]);
    draw.int_tensor("indices", shape, &indices);
    draw.int_attribute("axis", axis as i64);
}

pub fn indices_fit_data(draw: &mut Draw) {
    indices::too_wide(draw);
}

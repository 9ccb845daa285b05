//! Draws conditions as long as the axis or the flattened input, shorter ones, and ones with a further element, which is
//! false.

use crate::prelude::*;

pub fn compress(draw: &mut Draw) {
    let shape = draw.shape(1..=5);
    draw.tensor("input", &shape, Values::Any);
    let given = draw.give_attribute("axis");
    let extent = if given {
        let axis = draw.axis(shape.len(), draw.since() >= 11);
        draw.int_attribute("axis", axis);
        shape[axis.rem_euclid(shape.len() as i64) as usize]
    } else {
        shape.iter().product()
    };
    let mut length = extent;
    if extent > 0 && draw.once_in(3) {
        length = draw.below(extent);
        draw.feature("short condition");
    }
    let mut condition = draw.tensor("condition", &[length], Values::Any);
    if length == extent && draw.once_in(8) {
        // The condition has one more element than the axis or the flattened input; this element is false.
        draw.feature("long condition");
        let flags: Vec<i128> = condition.to_i128s().into_iter().chain([0]).collect();
        condition = Tensor::from_i128s(DType::Bool, vec![flags.len()], &flags)
            .expect("there are as many flags as the shape has elements");
        draw.replace_last_input(condition.clone());
    }
    if condition.to_i128s().iter().all(|&flag| flag == 0) {
        draw.feature("nothing selected");
    }
}

pub fn rank_at_least_one(draw: &mut Draw) {
    draw.tensor("input", &[], Values::Any);
    draw.tensor("condition", &[1], Values::Any);
}

pub fn condition_rank_one(draw: &mut Draw) {
    let shape = draw.full_shape(1..=3);
    draw.tensor("input", &shape, Values::Any);
    let shape = draw.way_of(&[vec![], vec![1, 2]]);
    draw.tensor("condition", &shape, Values::Any);
}

pub fn axis_in_range(draw: &mut Draw) {
    let shape = draw.full_shape(1..=4);
    draw.tensor("input", &shape, Values::Any);
    draw.tensor("condition", &[1], Values::Any);
    let axis = if draw.since() >= 11 { draw.bad_axis(shape.len(), true) } else { draw.above(shape.len() as i64 - 1) };
    draw.int_attribute("axis", axis);
}

/// Gives a condition that is one or two elements longer than the axis or the flattened input, and ends with true.
pub fn condition_fits_extent(draw: &mut Draw) {
    let shape = draw.full_shape(1..=3);
    draw.tensor("input", &shape, Values::Any);
    let mut extent = shape.iter().product();
    if draw.way(2) == 0 {
        let axis = draw.way(shape.len());
        draw.int_attribute("axis", axis as i64);
        extent = shape[axis];
    }
    let more = if draw.once_in(4) { 2 } else { 1 };
    let mut flags = vec![0; extent + more];
    flags[0] = 1;
    flags[extent + more - 1] = 1;
    let condition = Tensor::from_i128s(DType::Bool, vec![flags.len()], &flags)
        .expect("there are as many flags as the shape has elements");
    draw.input("condition", condition);
}

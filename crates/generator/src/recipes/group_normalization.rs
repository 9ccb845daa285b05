//! Draws one to three groups, in some cases one for each channel, and several types for the statistics (`stash_type`).

use crate::families::normalization;
use crate::prelude::*;

/// Draws the shape of an input, and a number of groups that divides its channels.
fn grouped(draw: &mut Draw) -> (Vec<usize>, usize) {
    let mut shape = draw.shape(2..=5);
    let (groups, size) = draw.choose(&[(2, 2), (1, 3), (3, 1), (2, 3), (1, 1)]);
    shape[1] = groups * size;
    if size == 1 {
        draw.feature("a group for each channel");
    }
    (shape, groups)
}

pub fn group_normalization(draw: &mut Draw) {
    let (shape, groups) = grouped(draw);
    let values = normalization::values(draw);
    draw.tensor("X", &shape, values);
    let parameters = if draw.since() < 21 { groups } else { shape[1] };
    normalization::scale_and_bias(draw, ["scale", "bias"], parameters);
    draw.int_attribute("num_groups", groups as i64);
    normalization::epsilon(draw);
    if draw.has_attribute("stash_type") {
        let dtype = draw.choose(&[DType::Float, DType::Float, DType::Bfloat16, DType::Double, DType::Float16]);
        normalization::stash_type(draw, dtype);
    }
}

pub fn input_has_channels(draw: &mut Draw) {
    let shape = draw.way_of(&[vec![4], vec![]]);
    draw.tensor("X", &shape, Values::Moderate);
    normalization::scale_and_bias(draw, ["scale", "bias"], 4);
    draw.int_attribute("num_groups", 4);
}

pub fn groups_divide_channels(draw: &mut Draw) {
    let groups = draw.way_of(&[3, 0, 5, -1, 8, i64::MAX, i64::MIN]);
    draw.tensor("X", &[2, 4, 3], Values::Moderate);
    let parameters = if draw.since() < 21 { groups.clamp(0, 8) as usize } else { 4 };
    normalization::scale_and_bias(draw, ["scale", "bias"], parameters);
    draw.int_attribute("num_groups", groups);
}

/// Gives a parameter with one element for each group where the version has one for each channel, or the other way
/// round.
pub fn parameter_shapes_fit(draw: &mut Draw) {
    let (groups, channels) = draw.way_of(&[(2, 4), (1, 3)]);
    draw.tensor("X", &[2, channels, 3], Values::Moderate);
    let (right, wrong) = if draw.since() < 21 { (groups, channels) } else { (channels, groups) };
    let [scale, bias] = draw.way_of(&[[wrong, wrong], [wrong, right], [right, wrong]]);
    draw.tensor("scale", &[scale], Values::Moderate);
    draw.tensor("bias", &[bias], Values::Moderate);
    draw.int_attribute("num_groups", groups as i64);
}

pub fn stash_type_allowed(draw: &mut Draw) {
    draw.tensor("X", &[2, 4, 3], Values::Moderate);
    normalization::scale_and_bias(draw, ["scale", "bias"], 4);
    draw.int_attribute("num_groups", 2);
    let code = draw.foreign_code_or_zero(&[DType::Int64, DType::Uint8]);
    draw.int_attribute("stash_type", code);
}

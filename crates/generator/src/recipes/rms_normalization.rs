//! Draws an axis counted from either end, and a factor that broadcasts to the input and may have another type.

use crate::families::normalization;
use crate::prelude::*;

pub fn rms_normalization(draw: &mut Draw) {
    let shape = draw.shape(1..=5);
    let values = normalization::values(draw);
    let dtype = draw.dtype("T");
    draw.tensor("X", &shape, values);
    let axis = normalization::first_axis(draw, shape.len());
    if !draw.once_in(4) {
        draw.bind("V", dtype);
    }
    let scale = normalization::factor_shape(draw, &shape, axis);
    draw.tensor("scale", &scale, Values::Between(-2.0, 2.0));
    if draw.dtype("V") != dtype {
        draw.feature("two types");
    }
    normalization::epsilon(draw);
    let stashed = draw.choose(&[DType::Float, DType::Float, DType::Bfloat16, DType::Double, DType::Float16]);
    if stashed == DType::Double {
        draw.feature("stashed as double");
    }
    normalization::stash_type(draw, stashed);
}

pub fn axis_in_range(draw: &mut Draw) {
    let shape = draw.full_shape(1..=4);
    draw.tensor("X", &shape, Values::Moderate);
    draw.tensor("scale", &[1], Values::Moderate);
    let axis = draw.bad_axis(shape.len(), true);
    draw.int_attribute("axis", axis);
}

pub fn scale_broadcasts(draw: &mut Draw) {
    let mut shape = draw.full_shape(1..=4);
    *shape.last_mut().expect("the rank is at least 1") += 1;
    draw.tensor("X", &shape, Values::Moderate);
    let wrong = draw.way_of(&[vec![shape[shape.len() - 1] + 1], [&[1], &shape[..]].concat()]);
    draw.tensor("scale", &wrong, Values::Moderate);
}

pub fn stash_type_allowed(draw: &mut Draw) {
    let shape = draw.full_shape(1..=4);
    draw.tensor("X", &shape, Values::Moderate);
    draw.tensor("scale", &[1], Values::Moderate);
    let code = draw.foreign_code_or_zero(&[DType::Int64, DType::Uint8]);
    draw.int_attribute("stash_type", code);
}

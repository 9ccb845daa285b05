//! Draws both norms along an axis; the elements of some tensors are all zero.

use crate::prelude::*;

pub fn lp_normalization(draw: &mut Draw) {
    let shape = draw.shape(1..=5);
    let values = [Values::Between(-2.0, 2.0), Values::Integers, Values::Moderate, Values::Finite, Values::Any];
    let mut values = draw.choose(&values);
    if draw.once_in(8) {
        draw.feature("only zeros");
        values = Values::Between(0.0, 0.0);
    }
    draw.tensor("input", &shape, values);
    if draw.give_attribute("axis") {
        let axis = draw.axis(shape.len(), true);
        draw.int_attribute("axis", axis);
    }
    if let Some(p) = draw.turn_attribute("p", &[1, 2, 1]) {
        draw.int_attribute("p", p);
    }
}

pub fn axis_in_range(draw: &mut Draw) {
    let shape = draw.full_shape(1..=4);
    draw.tensor("input", &shape, Values::Moderate);
    let axis = draw.bad_axis(shape.len(), true);
    draw.int_attribute("axis", axis);
}

pub fn p_known(draw: &mut Draw) {
    let shape = draw.full_shape(1..=4);
    draw.tensor("input", &shape, Values::Moderate);
    let p = draw.way_of(&[3, 0, -1, i64::MAX, i64::MIN]);
    draw.int_attribute("p", p);
}

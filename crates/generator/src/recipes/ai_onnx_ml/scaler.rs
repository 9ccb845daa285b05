//! Draws an offset and a scale for each feature or for all.

use crate::families::traditional;
use crate::prelude::*;

pub fn scaler(draw: &mut Draw) {
    let shape = draw.shape(1..=2);
    let count = traditional::factor_count(draw, shape.last().copied().unwrap_or(1));
    let values = draw.choose(&[Values::Moderate, Values::Integers, Values::Any]);
    draw.tensor("X", &shape, values);
    // The specification leaves open what a node without an offset or a scale computes, so most cases give both.
    let (both, which) = (shape.contains(&0) || !draw.once_in(4), draw.flag());
    if both || which && draw.give() {
        let offset = traditional::floats(draw, count, Values::Moderate);
        draw.floats_attribute("offset", &offset);
    }
    if both || !which && draw.give() {
        let scale = traditional::floats(draw, count, Values::Moderate);
        draw.floats_attribute("scale", &scale);
    }
}

pub fn lengths_equal(draw: &mut Draw) {
    draw.tensor("X", &[2, 3], Values::Moderate);
    let (offset, scale) = draw.way_of(&[(3, 1), (1, 3), (3, 2), (2, 3), (3, 4), (4, 3)]);
    draw.floats_attribute("offset", &vec![1.0; offset]);
    draw.floats_attribute("scale", &vec![2.0; scale]);
}

pub fn lengths_fit_features(draw: &mut Draw) {
    draw.tensor("X", &[2, 3], Values::Moderate);
    let count = draw.way_of(&[2, 4]);
    draw.floats_attribute("offset", &vec![1.0; count]);
    draw.floats_attribute("scale", &vec![2.0; count]);
}

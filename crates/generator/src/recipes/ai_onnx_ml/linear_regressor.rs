//! Draws one to three targets with and without intercepts, with each transform.

use crate::families::linear_model;
use crate::prelude::*;

fn regressor(draw: &mut Draw) -> usize {
    let features = linear_model::examples(draw, false, linear_model::ANY_SIZE);
    let mut targets = 1;
    if draw.give_attribute("targets") {
        targets = draw.choose(&[2, 3, 1]);
        draw.int_attribute("targets", targets as i64);
    }
    if targets == 1 {
        draw.feature("a single target");
    }
    linear_model::coefficients(draw, "coefficients", targets * features);
    if draw.give_attribute("intercepts") {
        linear_model::coefficients(draw, "intercepts", targets);
    }
    features
}

pub fn linear_regressor(draw: &mut Draw) {
    regressor(draw);
    linear_model::post_transform(draw);
}

pub fn rank_one_or_two(draw: &mut Draw) {
    regressor(draw);
    linear_model::wrong_rank(draw);
}

pub fn coefficients_fit(draw: &mut Draw) {
    let features = regressor(draw);
    let targets = draw.attributes.iter().find(|a| a.name.as_deref() == Some("targets")).and_then(|a| a.i).unwrap_or(1);
    let count = draw.other_extent(targets as usize * features);
    linear_model::replace_floats(draw, "coefficients", &vec![1.0; count]);
}

pub fn intercepts_fit(draw: &mut Draw) {
    regressor(draw);
    let targets = draw.attributes.iter().find(|a| a.name.as_deref() == Some("targets")).and_then(|a| a.i).unwrap_or(1);
    let count = draw.other_extent(targets as usize);
    linear_model::replace_floats(draw, "intercepts", &vec![1.0; count]);
}

pub fn post_transform_known(draw: &mut Draw) {
    regressor(draw);
    draw.string_attribute("post_transform", "SOFTPLUS");
}

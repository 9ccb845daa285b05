//! Draws rows for each norm: non-negative numbers, integers, any numbers, or only zeros.

use crate::prelude::*;

pub fn normalizer(draw: &mut Draw) {
    let shape = draw.shape(1..=2);
    let values = draw.choose(&[Values::Between(0.0, 8.0), Values::Between(0.5, 100.0), Values::Integers, Values::Any]);
    let norm = draw.choose(&["MAX", "L1", "L2"]);
    if draw.once_in(8) {
        draw.feature("divisor of zero");
        draw.tensor("X", &shape, Values::Between(0.0, 0.0));
    } else {
        draw.tensor("X", &shape, values);
    }
    match draw.give_attribute("norm") {
        true => draw.string_attribute("norm", norm),
        false => draw.feature("default norm"),
    }
}

pub fn rank_one_or_two(draw: &mut Draw) {
    let shape = draw.way_of(&[vec![], vec![2, 3, 2]]);
    draw.tensor("X", &shape, Values::Between(0.5, 8.0));
}

pub fn norm_known(draw: &mut Draw) {
    draw.tensor("X", &[2, 3], Values::Between(0.5, 8.0));
    draw.string_attribute("norm", "L3");
}

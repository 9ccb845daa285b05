//! Draws sizes that are odd, even, or larger than the number of channels.

use crate::prelude::*;

pub fn lrn(draw: &mut Draw) {
    let shape = draw.shape(2..=5);
    let values = [Values::Between(-2.0, 2.0), Values::Integers, Values::Moderate, Values::Mostly(-2.0, 2.0)];
    let values = draw.choose(&values);
    if matches!(values, Values::Moderate | Values::Mostly(..)) {
        draw.feature("elements of any size");
    }
    draw.tensor("X", &shape, values);
    let size = draw.choose(&[3, 1, 5, 2, 4, 9, i64::MAX]);
    if size == i64::MAX {
        draw.feature("a size of all channels");
    } else if size % 2 == 0 {
        draw.feature("an even size");
    }
    draw.int_attribute("size", size);
    for (name, options) in [("alpha", [0.5, 2e-4, 1.0]), ("beta", [0.5, 1.0, 0.3]), ("bias", [2.0, 1.5, 0.5])] {
        if draw.give_attribute(name) {
            let value = draw.choose(&options);
            draw.float_attribute(name, value);
        }
    }
}

pub fn input_has_channels(draw: &mut Draw) {
    let shape = draw.way_of(&[vec![3], vec![]]);
    draw.tensor("X", &shape, Values::Moderate);
    draw.int_attribute("size", 3);
}

pub fn size_positive(draw: &mut Draw) {
    let shape = draw.full_shape(2..=4);
    draw.tensor("X", &shape, Values::Moderate);
    let size = draw.under(1);
    draw.int_attribute("size", size);
}

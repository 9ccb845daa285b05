//! Draws elements of which about a third are equal to the threshold, if their type can represent it.

use crate::prelude::*;

pub fn binarizer(draw: &mut Draw) {
    let threshold = draw.turn_attribute("threshold", &[1.0, 0.5, -2.0, 0.0, 2.5, 1.0e-40, f32::INFINITY, f32::NAN]);
    threshold.into_iter().for_each(|threshold| draw.float_attribute("threshold", threshold));
    let shape = draw.shape(0..=4);
    let values = draw.choose(&[Values::Integers, Values::Moderate, Values::Any]);
    let dtype = draw.input_dtype("X");
    let x = draw.elements(dtype, &shape, values);
    let x = draw.sprinkled(&x, &[f64::from(threshold.unwrap_or(0.0))]);
    draw.input("X", x);
}

//! Inputs of element-wise operators of one tensor.

use crate::prelude::*;

/// Gives one tensor of any shape.
pub fn elementwise(draw: &mut Draw, input: &str, values: Values) {
    let shape = draw.shape(0..=8);
    draw.tensor(input, &shape, values);
    draw.legacy();
}

/// Gives one tensor of any shape. About a third of its elements are replaced by numbers from `numbers`, where the
/// operator bends or jumps.
pub fn elementwise_at(draw: &mut Draw, input: &str, values: Values, numbers: &[f64]) {
    let (shape, dtype) = (draw.shape(0..=8), draw.input_dtype(input));
    let elements = draw.elements(dtype, &shape, values);
    let elements = draw.sprinkled(&elements, numbers);
    draw.input(input, elements);
    draw.legacy();
}

/// Gives angles in radians: any numbers of the type, or mostly numbers between -10 and 10.
pub fn angles(draw: &mut Draw) {
    let values = draw.choose(&[Values::Mostly(-10.0, 10.0), Values::Any]);
    elementwise(draw, "input", values);
}

/// Gives numbers of which some are so large that their hyperbolic sine or cosine overflows.
pub fn hyperbolic(draw: &mut Draw) {
    // The result overflows in float from 89.4 on, and in float16 from 11.8 on.
    let values = draw.choose(&[Values::Mostly(-3.0, 3.0), Values::Mostly(-90.0, 90.0), Values::Any]);
    elementwise(draw, "input", values);
}

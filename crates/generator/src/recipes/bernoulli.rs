//! Draws probabilities, 0 and 1 among them, for few elements or for a sample that is large enough to show a
//! distribution.

use crate::families::random;
use crate::prelude::*;

pub fn bernoulli(draw: &mut Draw) {
    let (input, output) = random::input_and_output_types(draw);
    let shape = random::shape(draw);
    let count: usize = shape.iter().product();
    if count > 1 << 18 {
        // Near 0 and 1, a sample shows a small error of the probability best.
        let probabilities =
            draw.choose(&[&[0.03125][..], &[0.03125, 0.5], &[0.96875, 0.25], &[0.0, 1.0, 0.015625], &[0.984375]]);
        draw.input("input", random::repeated(input, &shape, probabilities));
    } else if count > 256 {
        let probabilities = draw.choose(&[&[0.5][..], &[0.25, 0.75], &[0.0, 1.0, 0.125], &[0.9]]);
        draw.input("input", random::repeated(input, &shape, probabilities));
    } else {
        draw.tensor("input", &shape, Values::Between(0.0, 1.0));
    }
    random::dtype_attribute(draw, output, Some(input));
    random::seed(draw);
}

/// Gives a number that is not a probability.
pub fn probability_in_range(draw: &mut Draw) {
    let input = draw.dtype("T1");
    // Numbers just outside of 0 to 1 that every type holds exactly, a larger number, and NaN.
    let bad = draw.way_of(&[1.0078125, -0.0078125, 1.5, f64::NAN]);
    draw.input("input", random::repeated(input, &[3], &[0.5, bad]));
    let output = draw.dtype("T2");
    random::dtype_attribute(draw, output, None);
}

pub fn dtype_allowed(draw: &mut Draw) {
    let input = draw.dtype("T1");
    draw.input("input", random::repeated(input, &[3], &[0.5]));
    random::foreign_dtype(draw);
}

//! Images and regions for MaxRoiPool and RoiAlign.

use crate::prelude::*;

/// Gives a tensor of numbers in the element type of the input.
pub fn numbers(draw: &mut Draw, name: &str, shape: &[usize], values: &[f64]) {
    let dtype = draw.input_dtype(name);
    draw.input(
        name,
        Tensor::from_f64s(dtype, shape.to_vec(), values).expect("there are as many values as the shape has elements"),
    );
}

/// Draws two corners along an axis of this extent, each a multiple of 1/`steps` of an element.
pub fn corners(draw: &mut Draw, extent: usize, steps: i64) -> (f64, f64) {
    let most = extent as i64 * steps;
    let from = draw.range(0..=most - 1);
    let to = draw.range(from + 1..=most);
    (from as f64 / steps as f64, to as f64 / steps as f64)
}

/// Gives a batch of images, and returns its shape.
pub fn image(draw: &mut Draw) -> [usize; 4] {
    let mut shape = [draw.choose(&[1, 2]), draw.choose(&[1, 2]), draw.choose(&[4, 5, 3]), draw.choose(&[5, 4, 6])];
    draw.enlarge(&mut shape, 1);
    let values = draw.choose(&[Values::Moderate, Values::Integers, Values::Between(-1.0, 1.0), Values::Any]);
    draw.tensor("X", &shape, values);
    shape
}

/// Draws the number of regions.
pub fn region_count(draw: &mut Draw) -> usize {
    if draw.once_in(16) {
        draw.feature("no regions");
        return 0;
    }
    draw.choose(&[1, 2, 3])
}

/// Gives `spatial_scale`, or leaves it out; returns its value.
pub fn spatial_scale(draw: &mut Draw) -> f64 {
    if !draw.give_attribute("spatial_scale") {
        return 1.0;
    }
    let scale = draw.choose(&[0.5, 1.0, 0.25, 2.0, 0.3]);
    draw.float_attribute("spatial_scale", scale);
    f64::from(scale)
}

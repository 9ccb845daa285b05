//! Draws ranges around zero, above it and below it. Some tensors hold only zeros or no elements.

use crate::prelude::*;

pub fn dynamic_quantize_linear(draw: &mut Draw) {
    let shape = draw.shape(0..=5);
    let ways = [
        Values::Moderate,
        Values::Between(-1.0, 1.0),
        Values::Between(0.5, 3.0),
        Values::Between(-300.0, -20.0),
        Values::Integers,
        Values::Finite,
        Values::Any,
    ];
    let values = draw.choose(&ways);
    let x = draw.tensor("x", &shape, values);
    if x.to_f64s().iter().all(|&x| x == 0.0) {
        draw.feature("a range of nothing");
    }
}

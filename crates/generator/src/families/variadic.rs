//! Inputs of operators that take any number of tensors: Max, Mean, Min and Sum.

use crate::prelude::*;

/// Gives one to four inputs. Up to version 7 their shapes are equal; from version 8 on they broadcast.
pub fn inputs(draw: &mut Draw, values: Values) {
    let count = draw.range(1..=4) as usize;
    let shapes = if draw.since() < 8 {
        let shape = draw.shape(0..=8);
        vec![shape; count]
    } else {
        draw.broadcastable(count, 0..=8)
    };
    if count == 1 {
        draw.feature("one input");
    }
    for shape in shapes {
        draw.tensor("data_0", &shape, values);
    }
    draw.legacy();
}

/// Gives two inputs with shapes that differ.
pub fn unequal_shapes(draw: &mut Draw) {
    let shape = draw.full_shape(1..=4);
    let mut other = shape.clone();
    let at = draw.way(other.len());
    // Some of these pairs of shapes would broadcast, others would not.
    other[at] = if shape[at] == 1 || draw.way(2) == 1 { shape[at] + 1 } else { 1 };
    draw.tensor("data_0", &shape, Values::Moderate);
    draw.tensor("data_0", &other, Values::Moderate);
}

/// Gives two inputs with shapes that do not broadcast.
pub fn unbroadcastable(draw: &mut Draw) {
    let (a, b) = draw.unbroadcastable();
    draw.tensor("data_0", &a, Values::Moderate);
    draw.tensor("data_0", &b, Values::Moderate);
}

/// Gives terms of similar magnitude, so that an error in the last place is visible. In one case in four, gives
/// any values.
pub fn terms(draw: &mut Draw) {
    let values = if draw.once_in(4) { Values::Any } else { Values::Moderate };
    inputs(draw, values);
}

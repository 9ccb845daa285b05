//! Recipes for Min and Max, which take any number of inputs.

use crate::draw::Draw;
use crate::values::Values;

/// Gives one to four inputs. Up to version 7 their shapes are equal; from version 8 on they broadcast.
pub(super) fn variadic(draw: &mut Draw, values: Values) {
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

pub fn min(draw: &mut Draw) {
    variadic(draw, Values::Any);
}

pub fn max(draw: &mut Draw) {
    variadic(draw, Values::Any);
}

/// Gives two inputs with shapes that differ.
pub(super) fn unequal(draw: &mut Draw) {
    let shape = draw.full_shape(1..=4);
    let mut other = shape.clone();
    let at = draw.way(other.len());
    // The shapes broadcast, or they do not.
    other[at] = if shape[at] == 1 || draw.way(2) == 1 { shape[at] + 1 } else { 1 };
    draw.tensor("data_0", &shape, Values::Moderate);
    draw.tensor("data_0", &other, Values::Moderate);
}

/// Gives two inputs with shapes that do not broadcast.
pub(super) fn unbroadcastable(draw: &mut Draw) {
    let (a, b) = draw.unbroadcastable();
    draw.tensor("data_0", &a, Values::Moderate);
    draw.tensor("data_0", &b, Values::Moderate);
}

pub fn min_shapes_equal(draw: &mut Draw) {
    unequal(draw);
}

pub fn max_shapes_equal(draw: &mut Draw) {
    unequal(draw);
}

pub fn min_shapes_broadcast(draw: &mut Draw) {
    unbroadcastable(draw);
}

pub fn max_shapes_broadcast(draw: &mut Draw) {
    unbroadcastable(draw);
}

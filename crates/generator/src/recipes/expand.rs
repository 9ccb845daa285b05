//! Draws a shape of higher, equal or lower rank that broadcasts with the input.

use crate::prelude::*;

pub fn expand(draw: &mut Draw) {
    let shapes = draw.broadcastable(2, 0..=8);
    draw.tensor("input", &shapes[0], Values::Any);
    if shapes[1].len() < shapes[0].len() {
        draw.feature("shape of lower rank");
    }
    let extents: Vec<i64> = shapes[1].iter().map(|&e| e as i64).collect();
    draw.ints("shape", &extents);
}

pub fn shape_valid(draw: &mut Draw) {
    let shape = draw.full_shape(1..=3);
    draw.tensor("input", &shape, Values::Any);
    let mut extents: Vec<i64> = shape.iter().map(|&e| e as i64).collect();
    if draw.way(2) == 1 {
        let at = draw.way(extents.len());
        extents[at] = draw.under(0);
        draw.ints("shape", &extents);
    } else {
        draw.int_tensor("shape", vec![1, extents.len()], &extents);
    }
}

pub fn shapes_broadcast(draw: &mut Draw) {
    let (input, shape) = draw.unbroadcastable();
    draw.tensor("input", &input, Values::Any);
    let extents: Vec<i64> = shape.iter().map(|&e| e as i64).collect();
    draw.ints("shape", &extents);
}

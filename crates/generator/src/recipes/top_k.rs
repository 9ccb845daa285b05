//! Draws tensors with ties, edge values and NaN. Asks for the largest or the smallest elements along an axis, from one
//! of them up to all, in order or not.

use crate::families::selection;
use crate::prelude::*;

/// Gives K as the version takes it: as an attribute or as an input.
fn give_k(draw: &mut Draw, k: i64) {
    if draw.has_attribute("k") { draw.int_attribute("k", k) } else { draw.ints("K", &[k]) }
}

pub fn top_k(draw: &mut Draw) {
    // The oracle may sort a whole row for each of its elements.
    if !draw.is_large() {
        draw.limit_extents(2049);
    }
    let (shape, axis) = selection::shape_and_axis(draw, true, true);
    if let Some(axis) = axis {
        draw.int_attribute("axis", axis);
    }
    // Where NaN or flushed elements leave the order open, the oracle looks at the whole row for each of its elements.
    let values = match draw.is_large() {
        true => draw.choose(&[Values::Integers, Values::Between(-2.0, 2.0)]),
        false => draw.choose(selection::ORDERED),
    };
    draw.tensor("X", &shape, values);
    let axis = axis.unwrap_or(-1).rem_euclid(shape.len() as i64) as usize;
    let extent = shape[axis] as i64;
    let k = draw.range(1..=extent);
    if k == extent {
        draw.feature("all elements");
    }
    give_k(draw, k);
    for attribute in ["largest", "sorted"] {
        if draw.give_attribute(attribute) {
            let value = draw.range(0..=1);
            draw.int_attribute(attribute, value);
            match (attribute, value) {
                ("largest", 0) => draw.feature("smallest"),
                ("sorted", 0) => draw.feature("unordered"),
                _ => {}
            }
        }
    }
}

pub fn axis_in_range(draw: &mut Draw) {
    selection::axis_out_of_range(draw, "X");
    give_k(draw, 1);
}

pub fn k_positive(draw: &mut Draw) {
    let shape = draw.full_shape(1..=3);
    draw.tensor("X", &shape, Values::Moderate);
    match draw.way(3) {
        1 if draw.has_input("K") => draw.ints("K", &[1, 1]),
        2 => give_k(draw, 0),
        _ => {
            let k = draw.under(0);
            give_k(draw, k);
        }
    }
}

pub fn k_fits_axis(draw: &mut Draw) {
    let shape = draw.full_shape(1..=4);
    draw.tensor("X", &shape, Values::Moderate);
    let k = draw.above(*shape.last().unwrap_or(&0) as i64);
    give_k(draw, k);
}

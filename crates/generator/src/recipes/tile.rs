//! Draws up to three copies along each axis, or none. For Tile-1, draws up to four copies along one axis, or none.

use crate::prelude::*;

/// Gives an input of Tile-1: one number in the element type of the data.
fn number(draw: &mut Draw, input: &str, value: f64) {
    let dtype = draw.dtype("T");
    let shape = draw.choose(&[vec![], vec![1]]);
    draw.input(input, Tensor::from_f64s(dtype, shape, &[value]).expect("a tensor of one element has one value"));
}

pub fn tile(draw: &mut Draw) {
    if draw.since() < 6 {
        let shape = draw.shape(1..=4);
        draw.tensor("input", &shape, Values::Any);
        let tiles = draw.range(0..=4);
        number(draw, "tiles", tiles as f64);
        let axis = draw.below(shape.len());
        number(draw, "axis", axis as f64);
        return;
    }
    let shape = draw.shape(0..=5);
    draw.tensor("input", &shape, Values::Any);
    let mut most = 12;
    let mut repeats = Vec::new();
    for _ in &shape {
        let repeat = if draw.once_in(14) { 0 } else { draw.range(1..=3.min(most)) };
        if repeat == 0 {
            draw.feature("no copy");
        }
        most /= repeat.max(1);
        repeats.push(repeat);
    }
    draw.ints("repeats", &repeats);
}

/// Gives one repeat too many or too few for the axes, or repeats that are not 1-D.
pub fn repeats_fit_axes(draw: &mut Draw) {
    let shape = draw.full_shape(1..=4);
    draw.tensor("input", &shape, Values::Any);
    let mut repeats = vec![2; shape.len()];
    match draw.way(3) {
        0 => repeats.push(1),
        1 => {
            repeats.pop();
        }
        _ => return draw.int_tensor("repeats", vec![1, repeats.len()], &repeats),
    }
    draw.ints("repeats", &repeats);
}

pub fn repeats_non_negative(draw: &mut Draw) {
    let shape = draw.full_shape(1..=4);
    draw.tensor("input", &shape, Values::Any);
    if draw.since() < 6 {
        number(draw, "tiles", -1.0);
        return number(draw, "axis", 0.0);
    }
    let mut repeats = vec![2; shape.len()];
    let at = draw.way(shape.len());
    repeats[at] = draw.under(0);
    draw.ints("repeats", &repeats);
}

/// Gives a number of copies that is not whole, or an axis that does not exist.
pub fn tiles_and_axis_valid(draw: &mut Draw) {
    let shape = draw.full_shape(1..=4);
    draw.tensor("input", &shape, Values::Any);
    let (tiles, axis) = draw.way_of(&[(1.5, 0.0), (2.0, shape.len() as f64), (2.0, -1.0), (2.0, 0.5)]);
    number(draw, "tiles", tiles);
    number(draw, "axis", axis);
}

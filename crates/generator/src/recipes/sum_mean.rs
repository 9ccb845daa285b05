//! Recipes for Sum and Mean, which take any number of inputs.

use super::min_max::{unbroadcastable, unequal, variadic};
use crate::draw::Draw;
use crate::values::Values;

/// Gives terms of similar magnitude, so that an error in the last place is visible. In one case in four, gives
/// anything.
fn terms(draw: &mut Draw) {
    let values = if draw.once_in(4) { Values::Any } else { Values::Moderate };
    variadic(draw, values);
}

pub fn sum(draw: &mut Draw) {
    terms(draw);
}

pub fn mean(draw: &mut Draw) {
    terms(draw);
}

pub fn sum_shapes_equal(draw: &mut Draw) {
    unequal(draw);
}

pub fn mean_shapes_equal(draw: &mut Draw) {
    unequal(draw);
}

pub fn sum_shapes_broadcast(draw: &mut Draw) {
    unbroadcastable(draw);
}

pub fn mean_shapes_broadcast(draw: &mut Draw) {
    unbroadcastable(draw);
}

//! Sum and Mean: as many inputs as one likes.

use super::min_max::{unbroadcastable, unequal, variadic};
use crate::draw::Draw;
use crate::values::Values;

/// Terms of like size, where an error in the last place shows, and anything else now and then.
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

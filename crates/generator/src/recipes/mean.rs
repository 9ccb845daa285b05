//! Draws one to four tensors of similar magnitude, or of any values. They broadcast from version 8 on.

use crate::families::variadic;
use crate::prelude::*;

pub fn mean(draw: &mut Draw) {
    variadic::terms(draw);
}

pub fn shapes_equal(draw: &mut Draw) {
    variadic::unequal_shapes(draw);
}

pub fn shapes_broadcast(draw: &mut Draw) {
    variadic::unbroadcastable(draw);
}

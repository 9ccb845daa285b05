//! Draws one to four tensors of any values, which broadcast from version 8 on.

use crate::families::variadic;
use crate::prelude::*;

pub fn min(draw: &mut Draw) {
    variadic::inputs(draw, Values::Any);
}

pub fn shapes_equal(draw: &mut Draw) {
    variadic::unequal_shapes(draw);
}

pub fn shapes_broadcast(draw: &mut Draw) {
    variadic::unbroadcastable(draw);
}

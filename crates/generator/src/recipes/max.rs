//! Draws one to four tensors of any values, which broadcast from version 8 on.

use crate::families::variadic;
use crate::prelude::*;

pub use crate::families::variadic::{unbroadcastable as shapes_broadcast, unequal_shapes as shapes_equal};

pub fn max(draw: &mut Draw) {
    variadic::inputs(draw, Values::Any);
}

//! Draws one to four tensors of similar magnitude, or of any values. They broadcast from version 8 on.

use crate::families::variadic;
use crate::prelude::*;

pub use crate::families::variadic::{unbroadcastable as shapes_broadcast, unequal_shapes as shapes_equal};

pub fn sum(draw: &mut Draw) {
    variadic::terms(draw);
}

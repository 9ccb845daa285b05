//! Draws tensors with one or more spatial axes. Some tensors are empty.

use crate::families::pooling;
use crate::prelude::*;

pub use crate::families::pooling::no_channels as input_has_channels;

pub fn global_average_pool(draw: &mut Draw) {
    pooling::global(draw, &[Values::Moderate, Values::Between(-1.0, 1.0), Values::Finite, Values::Any]);
}

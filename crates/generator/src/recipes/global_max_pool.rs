//! Draws tensors with one or more spatial axes. Some tensors are empty.

use crate::families::pooling;
use crate::prelude::*;

pub use crate::families::pooling::no_channels as input_has_channels;

pub fn global_max_pool(draw: &mut Draw) {
    pooling::global(draw, &[Values::Moderate, Values::Any, Values::Finite]);
}

//! Draws tensors with one to three spatial axes, some of them empty.

use crate::families::pooling;
use crate::prelude::*;

pub use crate::families::pooling::no_channels as input_has_channels;

pub fn global_max_pool(draw: &mut Draw) {
    pooling::global(draw, &[Values::Moderate, Values::Any, Values::Finite]);
}

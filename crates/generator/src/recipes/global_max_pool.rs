//! Draws tensors with one to three spatial axes, some of them empty.

use crate::families::pooling;
use crate::prelude::*;

pub fn global_max_pool(draw: &mut Draw) {
    pooling::global(draw, &[Values::Moderate, Values::Any, Values::Finite]);
}

pub fn input_has_channels(draw: &mut Draw) {
    pooling::no_channels(draw);
}

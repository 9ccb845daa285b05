//! Draws tensors with one to three spatial axes, some of them empty, with norms from 1 to 4.

use crate::families::pooling;
use crate::prelude::*;

pub fn global_lp_pool(draw: &mut Draw) {
    pooling::global(draw, &[Values::Moderate, Values::Between(-1.0, 1.0), Values::Finite, Values::Any]);
    pooling::exponent(draw);
}

pub fn input_has_channels(draw: &mut Draw) {
    pooling::no_channels(draw);
}

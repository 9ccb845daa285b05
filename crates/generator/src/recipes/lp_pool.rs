//! Draws windows over one to three spatial axes, with norms from 1 to 4; LpPool-1 also without a kernel.

use crate::families::pooling;
use crate::prelude::*;

pub fn lp_pool(draw: &mut Draw) {
    pooling::exponent(draw);
    if draw.since() == 1 && draw.once_in(10) {
        draw.feature("no kernel_shape");
        let shape = draw.full_shape(3..=5);
        draw.tensor("X", &shape, Values::Moderate);
        return;
    }
    pooling::pooled(
        draw,
        &[Values::Moderate, Values::Between(-1.0, 1.0), Values::Integers, Values::Finite, Values::Any],
    );
}

pub fn input_has_spatial_axes(draw: &mut Draw) {
    pooling::input_has_spatial_axes(draw);
}

pub fn window_attributes_valid(draw: &mut Draw) {
    pooling::window_attributes_valid(draw);
}

pub fn auto_pad_known(draw: &mut Draw) {
    pooling::auto_pad_known(draw);
}

pub fn pads_without_auto_pad(draw: &mut Draw) {
    pooling::pads_without_auto_pad(draw);
}

pub fn window_fits_axis(draw: &mut Draw) {
    pooling::window_fits_axis(draw);
}

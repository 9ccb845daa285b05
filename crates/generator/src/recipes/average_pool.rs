//! Draws windows over one to three spatial axes, with padding that counts or not.

use crate::families::pooling;
use crate::prelude::*;

pub fn average_pool(draw: &mut Draw) {
    pooling::pooled(
        draw,
        &[Values::Moderate, Values::Between(-1.0, 1.0), Values::Integers, Values::Finite, Values::Any],
    );
    if draw.give_attribute("count_include_pad") {
        let include = draw.range(0..=1);
        draw.int_attribute("count_include_pad", include);
        if include == 1 {
            draw.feature("padding counts");
        }
    }
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

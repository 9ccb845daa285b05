//! Draws windows over one to three spatial axes, with padding that the average includes or not.

use crate::families::pooling;
use crate::prelude::*;

pub use crate::families::pooling::{
    auto_pad_known, input_has_spatial_axes, pads_without_auto_pad, window_attributes_valid, window_fits_axis,
};

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

//! Draws windows over one to three spatial axes, with norms from 1 to 4. Some cases of LpPool-1 have no `kernel_shape`.

use crate::families::pooling;
use crate::prelude::*;

pub use crate::families::pooling::{
    auto_pad_known, input_has_spatial_axes, pads_without_auto_pad, window_attributes_valid, window_fits_axis,
};

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

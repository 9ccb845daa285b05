//! Draws windows over one to three spatial axes, with and without indices, in both storage orders.

use crate::families::pooling;
use crate::prelude::*;

pub use crate::families::pooling::{
    auto_pad_known, input_has_spatial_axes, pads_without_auto_pad, window_attributes_valid, window_fits_axis,
};

pub fn max_pool(draw: &mut Draw) {
    pooling::pooled(draw, &[Values::Moderate, Values::Integers, Values::Any, Values::Finite]);
    let mut outputs = vec![true];
    if draw.version().output("Indices").is_some() {
        outputs.push(draw.turn(&[false, true, true, false]));
        if outputs[1] {
            draw.feature("indices");
        }
    }
    if let Some(order) = draw.turn_attribute("storage_order", &[1, 0, 1]) {
        draw.int_attribute("storage_order", order);
        if order == 1 && outputs.get(1) == Some(&true) {
            draw.feature("columns first");
        }
    }
    draw.outputs(&outputs);
}

//! Draws windows over spatial axes, with a zero point for each tensor or for each output channel.

use crate::families::quantized_convolution;
use crate::prelude::*;

pub use crate::families::quantized_convolution::{
    auto_pad_known, channels_fit_groups, input_has_spatial_axes, kernel_shape_matches_w, pads_without_auto_pad,
    quantization_per_tensor, w_quantization_per_channel, window_attributes_valid, window_fits_axis,
};

/// Gives a zero point: one for the tensor, or one for each channel.
fn zero_point(draw: &mut Draw, name: &str, channels: Option<usize>) {
    let shape: Vec<usize> = match channels {
        Some(channels) if draw.flag() => {
            draw.feature("a zero point for each channel");
            vec![channels]
        }
        _ => vec![],
    };
    let values = draw.choose(&[Values::Integers, Values::Any]);
    draw.tensor(name, &shape, values);
}

pub fn conv_integer(draw: &mut Draw) {
    let (channels, x, w) = quantized_convolution::shapes(draw);
    let values = draw.choose(&[Values::Integers, Values::Any]);
    draw.tensor("x", &x, values);
    draw.tensor("w", &w, values);
    let (first, second) = (draw.give_input("x_zero_point"), draw.give_input("w_zero_point"));
    if first {
        zero_point(draw, "x_zero_point", None);
    } else if second {
        draw.omit("x_zero_point");
    }
    if second {
        zero_point(draw, "w_zero_point", Some(channels.groups * channels.outputs));
    }
}

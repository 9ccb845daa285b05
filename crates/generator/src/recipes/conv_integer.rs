//! Draws windows over spatial axes, with a zero point for each tensor or for each output channel.

use crate::families::quantized_convolution;
use crate::prelude::*;

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

pub fn input_has_spatial_axes(draw: &mut Draw) {
    quantized_convolution::input_has_spatial_axes(draw);
}

pub fn window_attributes_valid(draw: &mut Draw) {
    quantized_convolution::window_attributes_valid(draw);
}

pub fn auto_pad_known(draw: &mut Draw) {
    quantized_convolution::auto_pad_known(draw);
}

pub fn pads_without_auto_pad(draw: &mut Draw) {
    quantized_convolution::pads_without_auto_pad(draw);
}

pub fn window_fits_axis(draw: &mut Draw) {
    quantized_convolution::window_fits_axis(draw);
}

pub fn channels_fit_groups(draw: &mut Draw) {
    quantized_convolution::channels_fit_groups(draw);
}

pub fn kernel_shape_matches_w(draw: &mut Draw) {
    quantized_convolution::kernel_shape_matches_w(draw);
}

pub fn quantization_per_tensor(draw: &mut Draw) {
    quantized_convolution::quantization_per_tensor(draw);
}

pub fn w_quantization_per_channel(draw: &mut Draw) {
    quantized_convolution::w_quantization_per_channel(draw);
}

//! Draws windows over spatial axes, with scales and zero points for the tensor or for each output channel.

use crate::families::quantized_convolution;
use crate::prelude::*;

pub use crate::families::quantized_convolution::{
    auto_pad_known, channels_fit_groups, input_has_spatial_axes, kernel_shape_matches_w, pads_without_auto_pad,
    quantization_per_tensor, w_quantization_per_channel, window_attributes_valid, window_fits_axis,
};

/// Gives positive scales: in half of the cases powers of two, so that results are halfway between integers now and
/// then.
fn scale(draw: &mut Draw, name: &str, shape: &[usize]) {
    if draw.flag() {
        draw.tensor(name, shape, Values::Between(0.01, 2.0));
    } else {
        let count = shape.iter().product();
        let values: Vec<f32> = draw.block(count, 4).into_iter().map(|c| [0.5, 1.0, 0.25, 2.0][c as usize]).collect();
        draw.input(
            name,
            Tensor::from_f32s(shape.to_vec(), &values).expect("there are as many values as the shape has elements"),
        );
    }
}

pub fn q_linear_conv(draw: &mut Draw) {
    let (channels, x, w) = quantized_convolution::shapes(draw);
    let outputs = channels.groups * channels.outputs;
    let each = draw.flag();
    if each {
        draw.feature("a scale for each channel");
    }
    let list: &[usize] = if each { &[outputs] } else { &[] };
    let values = draw.choose(&[Values::Integers, Values::Any]);
    let zeros = draw.choose(&[Values::Integers, Values::Any]);
    draw.tensor("x", &x, values);
    scale(draw, "x_scale", &[]);
    draw.tensor("x_zero_point", &[], zeros);
    draw.tensor("w", &w, values);
    scale(draw, "w_scale", list);
    draw.tensor("w_zero_point", list, zeros);
    scale(draw, "y_scale", &[]);
    draw.tensor("y_zero_point", &[], Values::Any);
    if draw.give_input("B") {
        let values = draw.choose(&[Values::Integers, Values::Between(-1000.0, 1000.0)]);
        draw.tensor("B", &[outputs], values);
    }
}

pub fn bias_fits_channels(draw: &mut Draw) {
    let bias: &[usize] = draw.way_of(&[&[2][..], &[4], &[1], &[3, 1]]);
    quantized_convolution::operands(
        draw,
        quantized_convolution::Shapes { bias: Some(bias), ..quantized_convolution::PLAIN },
    );
}

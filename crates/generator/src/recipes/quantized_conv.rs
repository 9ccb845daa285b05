//! Recipes for ConvInteger and QLinearConv.

use super::conv::{Channels, as_ints, channels};
use super::windows::{bad_auto_pad, bad_numbers, pads_twice, rank, spatial};
use crate::draw::Draw;
use crate::values::Values;
use plumbline_tensor::{DType, Tensor};

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

/// Draws the channels, the shape of the input and the shape of the kernel.
fn shapes(draw: &mut Draw) -> (Channels, Vec<usize>, Vec<usize>) {
    let mut channels = channels(draw);
    channels.inputs = channels.inputs.max(1);
    let rank = rank(draw);
    let spatial = spatial(draw, rank, true);
    let x = [&[channels.batches, channels.groups * channels.inputs][..], &spatial.extents].concat();
    let w = [&[channels.groups * channels.outputs, channels.inputs][..], &spatial.kernel].concat();
    if draw.give_attribute("kernel_shape") {
        draw.ints_attribute("kernel_shape", &as_ints(&spatial.kernel));
    }
    (channels, x, w)
}

pub fn conv_integer(draw: &mut Draw) {
    let (channels, x, w) = shapes(draw);
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

/// Gives positive scales: in half of the cases powers of two, so that results are halfway between integers now and
/// then.
fn scale(draw: &mut Draw, name: &str, shape: &[usize]) {
    if draw.flag() {
        draw.tensor(name, shape, Values::Between(0.01, 2.0));
    } else {
        let count = shape.iter().product();
        let values: Vec<f32> = draw.block(count, 4).into_iter().map(|c| [0.5, 1.0, 0.25, 2.0][c as usize]).collect();
        draw.input(name, Tensor::from_f32s(shape.to_vec(), &values).expect("as many values as the shape says"));
    }
}

pub fn q_linear_conv(draw: &mut Draw) {
    let (channels, x, w) = shapes(draw);
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

/// Gives a tensor of ones in the element type of the input.
fn ones(draw: &mut Draw, name: &str, shape: &[usize]) {
    let count: usize = shape.iter().product();
    let dtype = draw.input_dtype(name);
    let tensor = match dtype {
        DType::Float => Tensor::from_f32s(shape.to_vec(), &vec![1.0; count]),
        _ => Tensor::from_i128s(dtype, shape.to_vec(), &vec![1; count]),
    };
    draw.input(name, tensor.expect("as many values as the shape says"));
}

/// The shapes of the operands of a negative case.
#[derive(Clone, Copy)]
struct Shapes<'a> {
    x: &'a [usize],
    w: &'a [usize],
    /// The shape of the scale and zero point of `x` (`one`), and of those of `w` (`each`).
    one: &'a [usize],
    each: &'a [usize],
    bias: Option<&'a [usize]>,
}

const PLAIN: Shapes<'static> = Shapes { x: &[1, 2, 5, 4], w: &[3, 2, 2, 2], one: &[], each: &[], bias: None };

fn operands(draw: &mut Draw, shapes: Shapes) {
    if !draw.has_input("x_scale") {
        ones(draw, "x", shapes.x);
        ones(draw, "w", shapes.w);
        ones(draw, "x_zero_point", shapes.one);
        return ones(draw, "w_zero_point", shapes.each);
    }
    ones(draw, "x", shapes.x);
    ones(draw, "x_scale", &[]);
    ones(draw, "x_zero_point", shapes.one);
    ones(draw, "w", shapes.w);
    ones(draw, "w_scale", shapes.each);
    ones(draw, "w_zero_point", shapes.each);
    ones(draw, "y_scale", &[]);
    ones(draw, "y_zero_point", &[]);
    if let Some(bias) = shapes.bias {
        ones(draw, "B", bias);
    }
}

fn c1(draw: &mut Draw) {
    operands(draw, Shapes { x: &[2, 3], w: &[4, 3], ..PLAIN });
}

fn c2(draw: &mut Draw) {
    bad_numbers(draw, 2);
    operands(draw, PLAIN);
}

fn c3(draw: &mut Draw) {
    bad_auto_pad(draw);
    operands(draw, PLAIN);
}

fn c4(draw: &mut Draw) {
    pads_twice(draw, 2);
    operands(draw, PLAIN);
}

fn c5(draw: &mut Draw) {
    let kernel: &[usize] = draw.way_of(&[&[3, 2, 7, 2][..], &[3, 2, 2, 6]]);
    operands(draw, Shapes { w: kernel, ..PLAIN });
}

fn c6(draw: &mut Draw) {
    match draw.way(6) {
        0 => operands(draw, Shapes { w: &[3, 3, 2, 2], ..PLAIN }),
        1 => operands(draw, Shapes { w: &[3, 2, 2], ..PLAIN }),
        2 => operands(draw, Shapes { w: &[3, 1, 2, 2], ..PLAIN }),
        3 => {
            draw.int_attribute("group", 3);
            operands(draw, Shapes { x: &[1, 4, 5, 4], w: &[3, 1, 2, 2], ..PLAIN });
        }
        4 => {
            let group = draw.way_of(&[0, -1, i64::MAX, i64::MIN]);
            draw.int_attribute("group", group);
            operands(draw, PLAIN);
        }
        _ => {
            draw.int_attribute("group", 2);
            operands(draw, Shapes { w: &[3, 1, 2, 2], ..PLAIN });
        }
    }
}

fn c7(draw: &mut Draw) {
    let shape = draw.way_of(&[[2, 3], [1, 2], [3, 2], [2, 1]]);
    draw.ints_attribute("kernel_shape", &shape);
    operands(draw, PLAIN);
}

fn c9(draw: &mut Draw) {
    let one: &[usize] = draw.way_of(&[&[2][..], &[5], &[2, 1]]);
    operands(draw, Shapes { one, ..PLAIN });
}

fn c10(draw: &mut Draw) {
    let each: &[usize] = draw.way_of(&[&[2][..], &[4], &[3, 1]]);
    operands(draw, Shapes { each, ..PLAIN });
}

pub fn q_linear_conv_bias_fits_channels(draw: &mut Draw) {
    let bias: &[usize] = draw.way_of(&[&[2][..], &[4], &[1], &[3, 1]]);
    operands(draw, Shapes { bias: Some(bias), ..PLAIN });
}

pub fn conv_integer_input_has_spatial_axes(draw: &mut Draw) {
    c1(draw);
}

pub fn conv_integer_window_attributes_valid(draw: &mut Draw) {
    c2(draw);
}

pub fn conv_integer_auto_pad_known(draw: &mut Draw) {
    c3(draw);
}

pub fn conv_integer_pads_without_auto_pad(draw: &mut Draw) {
    c4(draw);
}

pub fn conv_integer_window_fits_axis(draw: &mut Draw) {
    c5(draw);
}

pub fn conv_integer_channels_fit_groups(draw: &mut Draw) {
    c6(draw);
}

pub fn conv_integer_kernel_shape_matches_w(draw: &mut Draw) {
    c7(draw);
}

pub fn conv_integer_quantization_per_tensor(draw: &mut Draw) {
    c9(draw);
}

pub fn conv_integer_w_quantization_per_channel(draw: &mut Draw) {
    c10(draw);
}

pub fn q_linear_conv_input_has_spatial_axes(draw: &mut Draw) {
    c1(draw);
}

pub fn q_linear_conv_window_attributes_valid(draw: &mut Draw) {
    c2(draw);
}

pub fn q_linear_conv_auto_pad_known(draw: &mut Draw) {
    c3(draw);
}

pub fn q_linear_conv_pads_without_auto_pad(draw: &mut Draw) {
    c4(draw);
}

pub fn q_linear_conv_window_fits_axis(draw: &mut Draw) {
    c5(draw);
}

pub fn q_linear_conv_channels_fit_groups(draw: &mut Draw) {
    c6(draw);
}

pub fn q_linear_conv_kernel_shape_matches_w(draw: &mut Draw) {
    c7(draw);
}

pub fn q_linear_conv_quantization_per_tensor(draw: &mut Draw) {
    c9(draw);
}

pub fn q_linear_conv_w_quantization_per_channel(draw: &mut Draw) {
    c10(draw);
}

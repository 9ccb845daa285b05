//! Shapes and negative cases of ConvInteger and QLinearConv.

use crate::families::{convolution, sliding_window};
use crate::prelude::*;

/// Draws the channels, the shape of the input and the shape of the kernel, and gives the attributes that belong to
/// them.
pub fn shapes(draw: &mut Draw) -> (convolution::Channels, Vec<usize>, Vec<usize>) {
    let mut channels = convolution::channels(draw);
    channels.inputs = channels.inputs.max(1);
    let rank = sliding_window::rank(draw);
    let spatial = sliding_window::spatial(draw, rank, true);
    let x = [&[channels.batches, channels.groups * channels.inputs][..], &spatial.extents].concat();
    let w = [&[channels.groups * channels.outputs, channels.inputs][..], &spatial.kernel].concat();
    if draw.give_attribute("kernel_shape") {
        draw.ints_attribute("kernel_shape", &convolution::as_ints(&spatial.kernel));
    }
    (channels, x, w)
}

/// Gives a tensor of ones in the element type of the input.
fn ones(draw: &mut Draw, name: &str, shape: &[usize]) {
    let count: usize = shape.iter().product();
    let dtype = draw.input_dtype(name);
    let tensor = match dtype {
        DType::Float => Tensor::from_f32s(shape.to_vec(), &vec![1.0; count]),
        _ => Tensor::from_i128s(dtype, shape.to_vec(), &vec![1; count]),
    };
    draw.input(name, tensor.expect("there are as many values as the shape has elements"));
}

/// The shapes of the operands of a negative case.
#[derive(Clone, Copy)]
pub struct Shapes<'a> {
    pub x: &'a [usize],
    pub w: &'a [usize],
    /// The shape of the zero point of `x`.
    pub one: &'a [usize],
    /// The shape of the scale and of the zero point of `w`.
    pub each: &'a [usize],
    pub bias: Option<&'a [usize]>,
}

/// The shapes of valid operands.
pub const PLAIN: Shapes<'static> = Shapes { x: &[1, 2, 5, 4], w: &[3, 2, 2, 2], one: &[], each: &[], bias: None };

/// Gives the operands with these shapes.
pub fn operands(draw: &mut Draw, shapes: Shapes) {
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

/// Gives an input without spatial axes.
pub fn input_has_spatial_axes(draw: &mut Draw) {
    operands(draw, Shapes { x: &[2, 3], w: &[4, 3], ..PLAIN });
}

/// Gives an attribute of the window with the wrong length or an element out of range.
pub fn window_attributes_valid(draw: &mut Draw) {
    sliding_window::wrong_attribute(draw, 2);
    operands(draw, PLAIN);
}

/// Gives an unknown `auto_pad`.
pub fn auto_pad_known(draw: &mut Draw) {
    sliding_window::unknown_auto_pad(draw);
    operands(draw, PLAIN);
}

/// Gives `pads` together with `auto_pad`.
pub fn pads_without_auto_pad(draw: &mut Draw) {
    sliding_window::pads_and_auto_pad(draw, 2);
    operands(draw, PLAIN);
}

/// Gives a kernel that is larger than the input.
pub fn window_fits_axis(draw: &mut Draw) {
    let kernel: &[usize] = draw.way_of(&[&[3, 2, 7, 2][..], &[3, 2, 2, 6]]);
    operands(draw, Shapes { w: kernel, ..PLAIN });
}

/// Gives channels that do not fit, a number of groups that is not positive or does not divide the channels, or a kernel
/// of another rank.
pub fn channels_fit_groups(draw: &mut Draw) {
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

/// Gives a `kernel_shape` that differs from the shape of the kernel.
pub fn kernel_shape_matches_w(draw: &mut Draw) {
    let shape = draw.way_of(&[[2, 3], [1, 2], [3, 2], [2, 1]]);
    draw.ints_attribute("kernel_shape", &shape);
    operands(draw, PLAIN);
}

/// Gives several zero points for `x`, where only one is allowed.
pub fn quantization_per_tensor(draw: &mut Draw) {
    let one: &[usize] = draw.way_of(&[&[2][..], &[5], &[2, 1]]);
    operands(draw, Shapes { one, ..PLAIN });
}

/// Gives the zero point of the kernel, and its scale if the operator has one, in a wrong shape: neither a scalar nor a
/// list with one element for each output channel.
pub fn w_quantization_per_channel(draw: &mut Draw) {
    let each: &[usize] = draw.way_of(&[&[2][..], &[4], &[3, 1]]);
    operands(draw, Shapes { each, ..PLAIN });
}

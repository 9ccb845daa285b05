//! Draws windows over one to three spatial axes, with groups of channels and a bias.

use crate::families::{convolution, sliding_window};
use crate::prelude::*;

pub fn conv(draw: &mut Draw) {
    let channels = convolution::channels(draw);
    let rank = sliding_window::rank(draw);
    let spatial = sliding_window::spatial(draw, rank, true);
    let values = convolution::values(draw);
    let x = [&[channels.batches, channels.groups * channels.inputs][..], &spatial.extents].concat();
    let w = [&[channels.groups * channels.outputs, channels.inputs][..], &spatial.kernel].concat();
    draw.tensor("X", &x, values);
    draw.tensor("W", &w, values);
    if draw.give_input("B") {
        draw.tensor("B", &[channels.groups * channels.outputs], values);
    }
    if draw.give_attribute("kernel_shape") {
        draw.ints_attribute("kernel_shape", &convolution::as_ints(&spatial.kernel));
    }
}

fn operands(draw: &mut Draw, x: &[usize], w: &[usize]) {
    draw.tensor("X", x, Values::Moderate);
    draw.tensor("W", w, Values::Moderate);
}

/// Gives an input without spatial axes.
pub fn input_has_spatial_axes(draw: &mut Draw) {
    if draw.way(2) == 1 { operands(draw, &[3], &[3]) } else { operands(draw, &[2, 3], &[4, 3]) }
}

pub fn window_attributes_valid(draw: &mut Draw) {
    sliding_window::wrong_attribute(draw, 2);
    operands(draw, &[1, 2, 5, 4], &[3, 2, 2, 2]);
}

pub fn auto_pad_known(draw: &mut Draw) {
    sliding_window::unknown_auto_pad(draw);
    operands(draw, &[1, 2, 5, 4], &[3, 2, 2, 2]);
}

pub fn pads_without_auto_pad(draw: &mut Draw) {
    sliding_window::pads_and_auto_pad(draw, 2);
    operands(draw, &[1, 2, 5, 4], &[3, 2, 2, 2]);
}

/// Gives a kernel that is larger than the input.
pub fn window_fits_axis(draw: &mut Draw) {
    // A kernel that is larger than the input by only one would give the output extent 0, which is valid.
    let more = if draw.once_in(4) { 3 } else { 2 };
    let mut kernel = [2, 2];
    let at = draw.way(2);
    kernel[at] = [5, 4][at] + more;
    operands(draw, &[1, 2, 5, 4], &[3, 2, kernel[0], kernel[1]]);
}

/// Gives channels that do not fit, groups that do not divide the channels, or a kernel of another rank.
pub fn channels_fit_groups(draw: &mut Draw) {
    match draw.way(7) {
        0 => operands(draw, &[1, 2, 5, 4], &[3, 3, 2, 2]),
        5 => operands(draw, &[1, 2, 5, 4], &[3, 1, 2, 2]),
        6 => operands(draw, &[1, 2, 5, 4], &[3, 2, 2, 2, 1]),
        1 => operands(draw, &[1, 2, 5, 4], &[3, 2, 2]),
        2 => {
            draw.int_attribute("group", 2);
            operands(draw, &[1, 2, 5, 4], &[3, 1, 2, 2]);
        }
        3 => {
            draw.int_attribute("group", 3);
            operands(draw, &[1, 4, 5, 4], &[3, 1, 2, 2]);
        }
        _ => {
            let group = draw.way_of(&[0, -1, i64::MAX, i64::MIN]);
            draw.int_attribute("group", group);
            operands(draw, &[1, 2, 5, 4], &[3, 2, 2, 2]);
        }
    }
}

/// Gives a `kernel_shape` that differs from the shape of `W`.
pub fn kernel_shape_matches_w(draw: &mut Draw) {
    let shape = draw.way_of(&[[2, 3], [1, 2], [3, 2], [2, 1]]);
    draw.ints_attribute("kernel_shape", &shape);
    operands(draw, &[1, 2, 5, 4], &[3, 2, 2, 2]);
}

pub fn bias_fits_channels(draw: &mut Draw) {
    operands(draw, &[1, 2, 5, 4], &[3, 2, 2, 2]);
    let shape: &[usize] = draw.way_of(&[&[2][..], &[4], &[1], &[3, 1], &[]]);
    draw.tensor("B", shape, Values::Moderate);
}

//! Draws offsets of whole and fractional elements, one set of offsets for all channels or one for each channel, with
//! and without a mask.

use crate::families::{convolution, sliding_window};
use crate::prelude::*;

pub fn deform_conv(draw: &mut Draw) {
    let mut channels = convolution::channels(draw);
    channels.inputs = channels.inputs.clamp(1, 2);
    let offset_groups = if draw.give_attribute("offset_group") {
        let inputs = channels.groups * channels.inputs;
        let groups = if draw.flag() { inputs } else { 1 };
        draw.int_attribute("offset_group", groups as i64);
        if groups > 1 {
            draw.feature("several offset groups");
        }
        groups
    } else {
        1
    };
    let rank = sliding_window::rank(draw);
    let spatial = sliding_window::spatial(draw, rank, false);
    let taps: usize = spatial.kernel.iter().product();
    let values = draw.choose(&[Values::Moderate, Values::Integers, Values::Between(-1.0, 1.0)]);
    let offsets = draw.choose(&[
        Values::Between(-0.5, 0.5),
        Values::Integers,
        Values::Between(-2.0, 2.0),
        Values::Mostly(-1.0, 1.0),
    ]);
    let x = [&[channels.batches, channels.groups * channels.inputs][..], &spatial.extents].concat();
    let w = [&[channels.groups * channels.outputs, channels.inputs][..], &spatial.kernel].concat();
    draw.tensor("X", &x, values);
    draw.tensor("W", &w, values);
    let rows = |rows: usize| [&[channels.batches, rows][..], &spatial.windows].concat();
    draw.tensor("offset", &rows(offset_groups * taps * rank), offsets);
    let (bias, mask) = (draw.give_input("B"), draw.give_input("mask"));
    if bias {
        draw.tensor("B", &[channels.groups * channels.outputs], values);
    } else if mask {
        draw.omit("B");
    }
    if mask {
        draw.tensor("mask", &rows(offset_groups * taps), Values::Between(0.0, 1.0));
    }
    if draw.give_attribute("kernel_shape") {
        draw.ints_attribute("kernel_shape", &convolution::as_ints(&spatial.kernel));
    }
}

fn operands(draw: &mut Draw, x: &[usize], w: &[usize], offset: &[usize]) {
    draw.tensor("X", x, Values::Moderate);
    draw.tensor("W", w, Values::Moderate);
    draw.tensor("offset", offset, Values::Between(-0.5, 0.5));
}

fn plain(draw: &mut Draw) {
    operands(draw, &[1, 2, 4, 3], &[3, 2, 2, 2], &[1, 8, 3, 2]);
}

pub fn input_has_spatial_axes(draw: &mut Draw) {
    operands(draw, &[2, 3], &[4, 3], &[2, 1]);
}

pub fn window_attributes_valid(draw: &mut Draw) {
    sliding_window::wrong_attribute(draw, 2);
    plain(draw);
}

pub fn window_fits_axis(draw: &mut Draw) {
    operands(draw, &[1, 2, 4, 3], &[3, 2, 6, 2], &[1, 24, 1, 2]);
}

pub fn channels_fit_groups(draw: &mut Draw) {
    match draw.way(4) {
        0 => operands(draw, &[1, 2, 4, 3], &[3, 3, 2, 2], &[1, 8, 3, 2]),
        3 => {
            let group = draw.way_of(&[0, -1, i64::MAX, i64::MIN]);
            draw.int_attribute("group", group);
            operands(draw, &[1, 2, 4, 3], &[3, 2, 2, 2], &[1, 8, 3, 2]);
        }
        1 => operands(draw, &[1, 2, 4, 3], &[3, 2, 2], &[1, 8, 3, 2]),
        _ => {
            draw.int_attribute("group", 2);
            operands(draw, &[1, 2, 4, 3], &[3, 1, 2, 2], &[1, 8, 3, 2]);
        }
    }
}

pub fn kernel_shape_matches_w(draw: &mut Draw) {
    let shape = draw.way_of(&[[2, 3], [1, 2], [3, 2], [2, 1]]);
    draw.ints_attribute("kernel_shape", &shape);
    plain(draw);
}

pub fn bias_fits_channels(draw: &mut Draw) {
    plain(draw);
    let shape: &[usize] = draw.way_of(&[&[2][..], &[4], &[1], &[3, 1]]);
    draw.tensor("B", shape, Values::Moderate);
}

pub fn offset_group_divides_channels(draw: &mut Draw) {
    let groups = draw.way_of(&[3, 0, -1, i64::MAX, i64::MIN]);
    draw.int_attribute("offset_group", groups);
    plain(draw);
}

pub fn offset_shape_fits(draw: &mut Draw) {
    let offset: &[usize] = draw.way_of(&[
        &[1, 7, 3, 2][..],
        &[1, 9, 3, 2],
        &[2, 8, 3, 2],
        &[1, 8, 2, 2],
        &[1, 8, 3, 3],
        &[1, 16, 3, 2],
        &[1, 8, 6],
    ]);
    operands(draw, &[1, 2, 4, 3], &[3, 2, 2, 2], offset);
}

pub fn mask_shape_fits(draw: &mut Draw) {
    plain(draw);
    draw.omit("B");
    let mask: &[usize] =
        draw.way_of(&[&[1, 3, 3, 2][..], &[1, 5, 3, 2], &[2, 4, 3, 2], &[1, 4, 2, 2], &[1, 4, 3, 1], &[1, 4, 6]]);
    draw.tensor("mask", mask, Values::Between(0.0, 1.0));
}

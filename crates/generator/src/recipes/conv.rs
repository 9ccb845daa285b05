//! Recipes for Conv.

use super::windows::{bad_auto_pad, bad_numbers, pads_twice, rank, spatial};
use crate::draw::Draw;
use crate::values::Values;

/// Returns values with meaningful sums of products.
pub(super) fn values(draw: &mut Draw) -> Values {
    draw.choose(&[Values::Moderate, Values::Integers, Values::Between(-1.0, 1.0), Values::Finite, Values::Any])
}

/// The batches, groups and channels of a convolution.
pub(super) struct Channels {
    pub batches: usize,
    pub groups: usize,
    /// The number of input channels in each group (`inputs`), and of output channels (`outputs`).
    pub inputs: usize,
    pub outputs: usize,
}

/// Draws the channels and gives `group`.
pub(super) fn channels(draw: &mut Draw) -> Channels {
    let groups = if draw.give_attribute("group") {
        let groups = draw.choose(&[2, 1, 3]);
        draw.int_attribute("group", groups as i64);
        if groups > 1 {
            draw.feature("several groups");
        }
        groups
    } else {
        1
    };
    let mut extents = [draw.choose(&[1, 2]), draw.choose(&[1, 2, 3]), draw.choose(&[2, 1, 3])];
    // Each channel is multiplied by the taps of a window, at several places.
    draw.enlarge(&mut extents, 16 * groups);
    draw.costs(extents.iter().product::<usize>() * groups * 4);
    let [mut batches, mut inputs, outputs] = extents;
    if groups > 1 && inputs == 1 {
        draw.feature("depthwise");
    }
    if batches > 1 {
        draw.feature("several batches");
    }
    if draw.once_in(16) {
        if draw.once_in(4) {
            inputs = 0;
            draw.feature("empty sums");
        } else {
            batches = 0;
            draw.feature("no batches");
        }
    }
    Channels { batches, groups, inputs, outputs }
}

pub(super) fn as_ints(sizes: &[usize]) -> Vec<i64> {
    sizes.iter().map(|&x| x as i64).collect()
}

pub fn conv(draw: &mut Draw) {
    let channels = channels(draw);
    let rank = rank(draw);
    let spatial = spatial(draw, rank, true);
    let values = values(draw);
    let x = [&[channels.batches, channels.groups * channels.inputs][..], &spatial.extents].concat();
    let w = [&[channels.groups * channels.outputs, channels.inputs][..], &spatial.kernel].concat();
    draw.tensor("X", &x, values);
    draw.tensor("W", &w, values);
    if draw.give_input("B") {
        draw.tensor("B", &[channels.groups * channels.outputs], values);
    }
    if draw.give_attribute("kernel_shape") {
        draw.ints_attribute("kernel_shape", &as_ints(&spatial.kernel));
    }
}

fn operands(draw: &mut Draw, x: &[usize], w: &[usize]) {
    draw.tensor("X", x, Values::Moderate);
    draw.tensor("W", w, Values::Moderate);
}

/// Gives an input without spatial axes.
pub fn conv_input_has_spatial_axes(draw: &mut Draw) {
    if draw.way(2) == 1 { operands(draw, &[3], &[3]) } else { operands(draw, &[2, 3], &[4, 3]) }
}

pub fn conv_window_attributes_valid(draw: &mut Draw) {
    bad_numbers(draw, 2);
    operands(draw, &[1, 2, 5, 4], &[3, 2, 2, 2]);
}

pub fn conv_auto_pad_known(draw: &mut Draw) {
    bad_auto_pad(draw);
    operands(draw, &[1, 2, 5, 4], &[3, 2, 2, 2]);
}

pub fn conv_pads_without_auto_pad(draw: &mut Draw) {
    pads_twice(draw, 2);
    operands(draw, &[1, 2, 5, 4], &[3, 2, 2, 2]);
}

/// Gives a kernel that is larger than the input.
pub fn conv_window_fits_axis(draw: &mut Draw) {
    // A kernel larger by one leaves no window, and the output extent 0 is valid.
    let more = if draw.once_in(4) { 3 } else { 2 };
    let mut kernel = [2, 2];
    let at = draw.way(2);
    kernel[at] = [5, 4][at] + more;
    operands(draw, &[1, 2, 5, 4], &[3, 2, kernel[0], kernel[1]]);
}

/// Gives channels that do not fit, groups that do not divide the channels, or a kernel of another rank.
pub fn conv_channels_fit_groups(draw: &mut Draw) {
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
pub fn conv_kernel_shape_matches_w(draw: &mut Draw) {
    let shape = draw.way_of(&[[2, 3], [1, 2], [3, 2], [2, 1]]);
    draw.ints_attribute("kernel_shape", &shape);
    operands(draw, &[1, 2, 5, 4], &[3, 2, 2, 2]);
}

pub fn conv_bias_fits_channels(draw: &mut Draw) {
    operands(draw, &[1, 2, 5, 4], &[3, 2, 2, 2]);
    let shape: &[usize] = draw.way_of(&[&[2][..], &[4], &[1], &[3, 1], &[]]);
    draw.tensor("B", shape, Values::Moderate);
}

//! Draws windows over one to three spatial axes, with output padding, and with output shapes that are smaller or larger
//! than what the windows cover.

use crate::families::{convolution, sliding_window};
use crate::prelude::*;

/// One spatial axis.
struct Axis {
    windows: i64,
    kernel: i64,
    stride: i64,
    dilation: i64,
    more: i64,
}

impl Axis {
    /// Returns how many elements the windows cover, including the output padding after them.
    fn covered(&self) -> i64 {
        self.stride * (self.windows - 1) + self.more + (self.kernel - 1) * self.dilation + 1
    }
}

/// Draws the spatial axes and gives the attributes that place the output. Returns the extents of the input and of the
/// kernel.
fn spatial(draw: &mut Draw, rank: usize) -> (Vec<usize>, Vec<usize>) {
    let most = match rank {
        _ if draw.is_large() && !draw.once_in(4) => 1,
        ..3 => 3,
        _ => 2,
    };
    let numbers = |draw: &mut Draw, name: &str, from: i64, to: i64| -> Option<Vec<i64>> {
        draw.give_attribute(name).then(|| (0..rank).map(|_| draw.range(from..=to)).collect())
    };
    let strides = numbers(draw, "strides", 1, most);
    let dilations = numbers(draw, "dilations", 1, most);
    let mut more = numbers(draw, "output_padding", 0, 2);
    let auto_pad = draw.turn_attribute("auto_pad", &["SAME_LOWER", "SAME_UPPER", "NOTSET", "VALID"]);
    let same = matches!(auto_pad, Some("SAME_UPPER" | "SAME_LOWER"));
    let shaped = draw.give_attribute("output_shape");
    let mut axes = Vec::new();
    for i in 0..rank {
        let one = |list: &Option<Vec<i64>>| list.as_ref().map_or(1, |l| l[i]);
        let (stride, dilation) = (one(&strides), one(&dilations));
        // The output padding is smaller than the stride or the dilation. With SAME and without `output_shape` it is 0,
        // because the specification's text and the shape inference disagree on its effect.
        if let Some(more) = &mut more {
            more[i] = if same && !shaped { 0 } else { more[i].min(stride.max(dilation) - 1) };
        }
        let windows: usize = match rank {
            _ if draw.is_large() => draw.large_spatial(rank),
            ..3 => draw.choose(&[3, 2, 4, 1]),
            _ => draw.choose(&[2, 3, 1]),
        };
        let windows = draw.extent(windows, 4usize.pow(rank as u32 - 1)) as i64;
        let mut axis = Axis {
            windows,
            kernel: if draw.is_large() { draw.choose(&[3, 3, 1, 4]) } else { draw.choose(&[3, 2, 1, 4]) },
            stride,
            dilation,
            more: more.as_ref().map_or(0, |m| m[i]),
        };
        if same && !shaped && (axis.kernel - 1) * dilation + 1 < stride {
            axis.kernel = stride.max(axis.kernel);
        }
        // SAME_UPPER and SAME_LOWER differ only if an odd number of elements is cut off.
        let cut = (axis.kernel - 1) * dilation + 1 - stride;
        if same && !shaped && dilation % 2 == 1 && cut % 2 == 0 && draw.flag() {
            axis.kernel += 1;
        }
        axes.push(axis);
    }
    for (name, list) in [("strides", &strides), ("dilations", &dilations), ("output_padding", &more)] {
        list.iter().for_each(|list| draw.ints_attribute(name, list));
    }
    if more.is_some_and(|m| m.iter().any(|&m| m > 0)) {
        draw.feature("output_padding");
    }
    match auto_pad {
        Some("SAME_UPPER") => draw.feature("SAME_UPPER"),
        Some("SAME_LOWER") => draw.feature("SAME_LOWER"),
        _ => {}
    }
    auto_pad.into_iter().for_each(|mode| draw.string_attribute("auto_pad", mode));
    if shaped {
        // In four cases of five the output is at most as long as what the windows cover; otherwise it is zero to two
        // elements longer.
        let longer = draw.once_in(5);
        let cuts: &[i64] = if same { &[1, 3, 1, 0, 2] } else { &[0, 1, 2, 3] };
        let shape: Vec<i64> = axes
            .iter()
            .map(|a| {
                if longer { a.covered() + draw.range(0..=2) } else { (a.covered() - draw.choose(cuts)).max(a.windows) }
            })
            .collect();
        if shape.iter().zip(&axes).any(|(&extent, axis)| extent > axis.covered()) {
            draw.feature("an output longer than the windows");
        }
        draw.ints_attribute("output_shape", &shape);
    } else if auto_pad == Some("NOTSET") && !draw.once_in(4) || auto_pad.is_none() && draw.give_attribute("pads") {
        let mut pads: Vec<i64> =
            (0..2 * rank).map(|i| draw.range(0..=2).min((axes[i % rank].covered() - 1) / 2)).collect();
        if let Some(at) = (0..rank).find(|&i| pads[i] > 0 && pads[i] == pads[rank + i])
            && draw.flag()
        {
            pads[at] -= 1;
        }
        draw.ints_attribute("pads", &pads);
        if pads[..rank] != pads[rank..] {
            draw.feature("asymmetric padding");
        }
    }
    let sizes = |of: fn(&Axis) -> i64| axes.iter().map(|a| of(a) as usize).collect();
    (sizes(|a| a.windows), sizes(|a| a.kernel))
}

pub fn conv_transpose(draw: &mut Draw) {
    let channels = convolution::channels(draw);
    let rank = sliding_window::rank(draw);
    let (extents, kernel) = spatial(draw, rank);
    let values = convolution::values(draw);
    let x = [&[channels.batches, channels.groups * channels.inputs][..], &extents].concat();
    let w = [&[channels.groups * channels.inputs, channels.outputs][..], &kernel].concat();
    draw.tensor("X", &x, values);
    draw.tensor("W", &w, values);
    if draw.give_input("B") {
        draw.tensor("B", &[channels.groups * channels.outputs], values);
    }
    if draw.give_attribute("kernel_shape") {
        draw.ints_attribute("kernel_shape", &convolution::as_ints(&kernel));
    }
}

fn operands(draw: &mut Draw, x: &[usize], w: &[usize]) {
    draw.tensor("X", x, Values::Moderate);
    draw.tensor("W", w, Values::Moderate);
}

fn plain(draw: &mut Draw) {
    operands(draw, &[1, 2, 3, 4], &[2, 3, 2, 2]);
}

pub fn input_has_spatial_axes(draw: &mut Draw) {
    if draw.way(2) == 1 { operands(draw, &[3], &[3]) } else { operands(draw, &[2, 3], &[3, 4]) }
}

pub fn window_attributes_valid(draw: &mut Draw) {
    if draw.way(2) == 1 {
        sliding_window::wrong_attribute(draw, 2);
    } else {
        let name = draw.way_of(&["output_padding", "output_shape"]);
        let less = draw.under(0);
        let list = draw.way_of(&[vec![0, less], vec![less, 0], vec![1, 1, 1], vec![1]]);
        draw.ints_attribute(name, &list);
    }
    plain(draw);
}

pub fn auto_pad_known(draw: &mut Draw) {
    sliding_window::unknown_auto_pad(draw);
    plain(draw);
}

pub fn pads_without_auto_pad(draw: &mut Draw) {
    sliding_window::pads_and_auto_pad(draw, 2);
    plain(draw);
}

/// Cuts off more elements than there are.
pub fn output_extents_non_negative(draw: &mut Draw) {
    let mut pads = [0; 4];
    let at = draw.way(2);
    // The windows cover 4 by 5 elements. The pads cut off more elements than that along one axis.
    let cut = [5, 6][at] + i64::from(draw.once_in(4));
    pads[at] = draw.range(0..=cut);
    pads[at + 2] = cut - pads[at];
    draw.ints_attribute("pads", &pads);
    plain(draw);
}

pub fn channels_fit_groups(draw: &mut Draw) {
    match draw.way(4) {
        0 => operands(draw, &[1, 2, 3, 4], &[3, 3, 2, 2]),
        1 => operands(draw, &[1, 2, 3, 4], &[2, 3, 2]),
        2 => {
            draw.int_attribute("group", 2);
            operands(draw, &[1, 3, 3, 4], &[3, 1, 2, 2]);
        }
        _ => {
            let group = draw.way_of(&[0, -1, i64::MAX, i64::MIN]);
            draw.int_attribute("group", group);
            plain(draw);
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
    let shape: &[usize] = draw.way_of(&[&[2][..], &[4], &[1], &[3, 1], &[]]);
    draw.tensor("B", shape, Values::Moderate);
}

pub fn output_padding_in_range(draw: &mut Draw) {
    if draw.since() < 11 {
        return draw.decline();
    }
    let stride = draw.range(1..=2);
    draw.ints_attribute("strides", &[stride, stride]);
    let padding = draw.way_of(&[[0, stride], [stride, 0]]);
    draw.ints_attribute("output_padding", &padding);
    plain(draw);
}

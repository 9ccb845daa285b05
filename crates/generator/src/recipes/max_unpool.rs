//! Draws indices that give each window a place of its own in its channel, if there are enough places. In one case in
//! six, draws any places of the output instead, so that some indices may be equal.

use crate::families::{convolution, sliding_window};
use crate::prelude::*;

fn indices(draw: &mut Draw, shape: &[usize], values: &[i64]) {
    let tensor = Tensor::from_i64s(values).reshaped(shape.to_vec());
    draw.input("I", tensor.expect("there are as many values as the shape has elements"));
}

pub fn max_unpool(draw: &mut Draw) {
    let rank = sliding_window::rank(draw);
    let kernel: Vec<usize> = (0..rank).map(|_| draw.choose(&[2, 1, 3])).collect();
    draw.ints_attribute("kernel_shape", &convolution::as_ints(&kernel));
    let strides: Option<Vec<usize>> =
        draw.give_attribute("strides").then(|| (0..rank).map(|_| draw.range(1..=3) as usize).collect());
    let stride = |i: usize| strides.as_ref().map_or(1, |s| s[i]);
    let mut windows: Vec<usize> = (0..rank).map(|_| draw.choose(&[2, 3, 1])).collect();
    draw.enlarge(&mut windows, 9);
    let mut extents: Vec<usize> = (0..rank).map(|i| (windows[i] - 1) * stride(i) + kernel[i]).collect();
    if draw.give_attribute("pads") {
        let pads: Vec<usize> = (0..2 * rank).map(|i| draw.below(extents[i % rank].div_ceil(2)).min(1)).collect();
        (0..2 * rank).for_each(|i| extents[i % rank] -= pads[i]);
        draw.ints_attribute("pads", &convolution::as_ints(&pads));
    }
    strides.iter().for_each(|s| draw.ints_attribute("strides", &convolution::as_ints(s)));
    let mut channels = [draw.choose(&[1, 2]), draw.choose(&[1, 2])];
    draw.enlarge(&mut channels, extents.iter().product());
    if draw.once_in(16) {
        channels[1] = 0;
        draw.feature("no channels");
    }
    let shape = [&channels[..], &windows].concat();
    let mut output = [&channels[..], &extents].concat();
    let given = draw.give_input("output_shape");
    if given && draw.flag() {
        let at = 2 + draw.below(rank);
        output[at] += draw.choose(&[1, 2]);
        draw.feature("an output longer than the windows");
    }
    // The indices are within the output. In most cases they all differ, and each is within its channel.
    let (count, total): (usize, usize) = (shape.iter().product(), output.iter().product());
    let plane: usize = output[2..].iter().product();
    let each: usize = windows.iter().product();
    let jumble = draw.once_in(6);
    if jumble {
        draw.feature("indices that meet");
    }
    let block = draw.block(count, 1 << 20);
    let place = |(i, choice): (usize, u64)| {
        let (channel, at) = (i / each.max(1), i % each.max(1));
        // Divides the channel into as many stretches as it has windows. Each window gets a place in its own stretch.
        let stretch = (plane / each.max(1)).max(1);
        let own = (at * stretch + choice as usize % stretch).min(plane.max(1) - 1);
        (if jumble { choice as usize % total.max(1) } else { channel * plane + own }) as i64
    };
    let places: Vec<i64> = block.into_iter().enumerate().map(place).collect();
    let values = draw.choose(&[Values::Moderate, Values::Any, Values::Finite]);
    draw.tensor("X", &shape, values);
    indices(draw, &shape, &places);
    if given {
        draw.ints("output_shape", &convolution::as_ints(&output));
    }
}

fn operands(draw: &mut Draw, kernel: &[i64], x: &[usize], i: &[usize]) {
    draw.ints_attribute("kernel_shape", kernel);
    draw.tensor("X", x, Values::Moderate);
    indices(draw, i, &vec![0; i.iter().product()]);
}

pub fn input_has_spatial_axes(draw: &mut Draw) {
    let shape: &[usize] = draw.way_of(&[&[2, 3][..], &[3]]);
    operands(draw, &[], shape, shape);
}

pub fn window_attributes_valid(draw: &mut Draw) {
    let name = draw.way_of(&["strides", "pads"]);
    let mut list = if name == "pads" { vec![0; 4] } else { vec![1; 2] };
    let at = draw.way(list.len());
    list[at] = draw.under(list[at]);
    match draw.way(4) {
        0 => draw.ints_attribute(name, &list),
        1 => draw.ints_attribute(name, &[1, 1, 1]),
        2 => return operands(draw, &[2, 2, 2], &[1, 1, 2, 3], &[1, 1, 2, 3]),
        _ => {
            let less = draw.under(1);
            return operands(draw, &[2, less], &[1, 1, 2, 3], &[1, 1, 2, 3]);
        }
    }
    operands(draw, &[2, 2], &[1, 1, 2, 3], &[1, 1, 2, 3]);
}

pub fn output_extents_non_negative(draw: &mut Draw) {
    // The windows cover 3 by 4 elements. The pads cut off one element more than that along one axis.
    let mut pads = [0; 4];
    let at = draw.way(2);
    let cut = [4, 5][at];
    pads[at] = draw.range(0..=cut);
    pads[at + 2] = cut - pads[at];
    draw.ints_attribute("pads", &pads);
    operands(draw, &[2, 2], &[1, 1, 2, 3], &[1, 1, 2, 3]);
}

pub fn indices_match_input(draw: &mut Draw) {
    let i: &[usize] =
        draw.way_of(&[&[1, 1, 2, 2][..], &[1, 1, 2, 4], &[1, 1, 1, 3], &[1, 2, 2, 3], &[1, 1, 6], &[1, 1, 3, 2]]);
    operands(draw, &[2, 2], &[1, 1, 2, 3], i);
}

pub fn output_shape_fits(draw: &mut Draw) {
    operands(draw, &[2, 2], &[1, 1, 2, 3], &[1, 1, 2, 3]);
    let shape: &[i64] = draw.way_of(&[&[3, 4][..], &[1, 2, 3, 4], &[1, 1, 12], &[1, 1, 3, 4, 1], &[2, 1, 3, 4]]);
    draw.ints("output_shape", shape);
}

pub fn indices_in_range(draw: &mut Draw) {
    draw.ints_attribute("kernel_shape", &[2, 2]);
    draw.tensor("X", &[1, 1, 1, 2], Values::Moderate);
    let bad = draw.way_of(&[6, -1, 100]);
    indices(draw, &[1, 1, 1, 2], &[0, bad]);
}

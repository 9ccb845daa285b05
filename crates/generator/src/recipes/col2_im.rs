//! Draws the columns of a window that slides over an image with two or three axes.

use crate::families::{convolution, sliding_window};
use crate::prelude::*;

pub fn col2_im(draw: &mut Draw) {
    let rank = draw.choose(&[2, 3, 2]);
    if rank == 3 {
        draw.feature("three spatial axes");
    }
    // The attributes are those of a convolution over the image.
    let layout = sliding_window::spatial(draw, rank, false);
    let blocks = layout.windows.iter().product();
    let mut channels = [draw.choose(&[1, 2]), draw.choose(&[1, 2, 3])];
    draw.enlarge(&mut channels, [&layout.windows[..], &layout.kernel].concat().iter().product());
    if draw.once_in(16) {
        let at = draw.below(2);
        channels[at] = 0;
        draw.feature("no channels");
    }
    let taps: usize = layout.kernel.iter().product();
    let values = draw.choose(&[Values::Moderate, Values::Integers, Values::Finite, Values::Any]);
    draw.tensor("input", &[channels[0], channels[1] * taps, blocks], values);
    draw.ints("image_shape", &convolution::as_ints(&layout.extents));
    draw.ints("block_shape", &convolution::as_ints(&layout.kernel));
}

fn operands(draw: &mut Draw, input: &[usize], image: &[i64], block: &[i64]) {
    draw.tensor("input", input, Values::Moderate);
    draw.ints("image_shape", image);
    draw.ints("block_shape", block);
}

pub fn rank_three(draw: &mut Draw) {
    let input: &[usize] = draw.way_of(&[&[4, 6][..], &[1, 1, 4, 6], &[24]]);
    operands(draw, input, &[3, 4], &[2, 2]);
}

pub fn window_attributes_valid(draw: &mut Draw) {
    sliding_window::wrong_attribute(draw, 2);
    operands(draw, &[1, 4, 6], &[3, 4], &[2, 2]);
}

pub fn image_block_shapes_valid(draw: &mut Draw) {
    let (image, block): (&[i64], &[i64]) = draw.way_of(&[
        (&[3, 4][..], &[2, 2, 1][..]),
        (&[6], &[4]),
        (&[3, 0], &[2, 2]),
        (&[3, 4], &[2, 0]),
        (&[0, 4], &[2, 2]),
        (&[3, 4], &[0, 2]),
        (&[3, 4], &[2]),
        (&[3, -1], &[2, 2]),
        (&[3, 4], &[2, -1]),
    ]);
    operands(draw, &[1, 4, 6], image, block);
}

pub fn blocks_fit_image(draw: &mut Draw) {
    let input: &[usize] = draw.way_of(&[&[1, 4, 5][..], &[1, 4, 7], &[1, 5, 6], &[1, 3, 6], &[1, 4, 12]]);
    operands(draw, input, &[3, 4], &[2, 2]);
}

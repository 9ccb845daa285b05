//! Draws inputs longer and shorter than the kernel, with and without a past state, a bias and an activation.

use crate::families::convolution;
use crate::prelude::*;

pub fn causal_conv_with_state(draw: &mut Draw) {
    let mut extents = [draw.choose(&[1, 2]), draw.choose(&[2, 1, 3]), draw.choose(&[5, 3, 1, 2, 7])];
    let kernel = draw.choose(&[3, 2, 4, 1]);
    draw.enlarge(&mut extents, kernel);
    let [mut batches, channels, length] = extents;
    if draw.once_in(20) {
        batches = 0;
        draw.feature("no batches");
    }
    if length < kernel - 1 {
        draw.feature("an input shorter than the state");
    }
    let values = convolution::values(draw);
    draw.tensor("input", &[batches, channels, length], values);
    draw.tensor("weight", &[channels, 1, kernel], values);
    let (bias, past) = (draw.give_input("bias"), draw.give_input("past_state"));
    if bias {
        draw.tensor("bias", &[channels], values);
    } else if past {
        draw.omit("bias");
    }
    if past {
        draw.tensor("past_state", &[batches, channels, kernel - 1], values);
    }
    if draw.give_attribute("activation") {
        let activation = draw.choose(&["silu", "none", "swish"]);
        draw.string_attribute("activation", activation);
        if activation != "none" {
            draw.feature("activation");
        }
    }
}

fn operands(draw: &mut Draw, input: &[usize], weight: &[usize]) {
    draw.tensor("input", input, Values::Moderate);
    draw.tensor("weight", weight, Values::Moderate);
}

pub fn rank_three(draw: &mut Draw) {
    let input: &[usize] = draw.way_of(&[&[2, 5][..], &[1, 2, 5, 3], &[5]]);
    operands(draw, input, &[2, 1, 3]);
}

pub fn weight_shape_fits(draw: &mut Draw) {
    let weight: &[usize] = draw.way_of(&[&[3, 1, 3][..], &[2, 2, 3], &[2, 3], &[1, 1, 3], &[2, 1, 0], &[2, 0, 3]]);
    operands(draw, &[1, 2, 5], weight);
}

pub fn bias_fits_channels(draw: &mut Draw) {
    operands(draw, &[1, 2, 5], &[2, 1, 3]);
    let bias: &[usize] = draw.way_of(&[&[3][..], &[1], &[2, 1]]);
    draw.tensor("bias", bias, Values::Moderate);
}

pub fn past_state_fits(draw: &mut Draw) {
    operands(draw, &[1, 2, 5], &[2, 1, 3]);
    draw.omit("bias");
    let past: &[usize] = draw.way_of(&[&[1, 2, 3][..], &[1, 2, 1], &[1, 1, 2], &[1, 3, 2], &[2, 2, 2], &[2, 2]]);
    draw.tensor("past_state", past, Values::Moderate);
}

pub fn activation_known(draw: &mut Draw) {
    operands(draw, &[1, 2, 5], &[2, 1, 3]);
    let activation = draw.way_of(&["relu", "SILU", ""]);
    draw.string_attribute("activation", activation);
}

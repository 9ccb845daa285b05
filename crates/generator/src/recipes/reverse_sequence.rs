//! Draws lengths from 0 up to the extent of the time axis, with the batch axis or the time axis first.

use crate::prelude::*;

/// Gives the batch axis and the time axis. If they are the defaults, either may be left out.
fn axes(draw: &mut Draw, batch: i64) {
    for (name, axis) in [("batch_axis", batch), ("time_axis", 1 - batch)] {
        if batch == 0 || draw.give_attribute(name) {
            draw.int_attribute(name, axis);
        }
    }
}

pub fn reverse_sequence(draw: &mut Draw) {
    let shape = draw.shape(2..=5);
    draw.tensor("input", &shape, Values::Any);
    let batch = draw.choose(&[1, 0]);
    let time = shape[1 - batch];
    let mut lengths = Vec::new();
    for _ in 0..shape[batch] {
        let length = if draw.once_in(4) { time as i64 } else { draw.range(0..=time as i64) };
        if length == 0 {
            draw.feature("a length of 0");
        }
        lengths.push(length);
    }
    draw.ints("sequence_lens", &lengths);
    axes(draw, batch as i64);
}

pub fn rank_at_least_two(draw: &mut Draw) {
    draw.tensor("input", &[3], Values::Any);
    draw.ints("sequence_lens", &[1, 1, 1]);
}

/// Gives the same axis twice, or an axis that is neither the first nor the second.
pub fn axes_are_first_two(draw: &mut Draw) {
    draw.tensor("input", &[2, 2, 2], Values::Any);
    draw.ints("sequence_lens", &[1, 2]);
    let (batch, time) = draw.way_of(&[(0, 0), (1, 1), (2, 0), (1, 2), (0, -1), (-1, 0), (0, 2), (2, 1)]);
    draw.int_attribute("batch_axis", batch);
    draw.int_attribute("time_axis", time);
}

pub fn sequence_lens_shape_fits(draw: &mut Draw) {
    let shape = draw.full_shape(2..=4);
    draw.tensor("input", &shape, Values::Any);
    let mut lengths = vec![1; shape[1]];
    match draw.way(3) {
        0 => lengths.push(1),
        1 => {
            lengths.pop();
        }
        _ => return draw.int_tensor("sequence_lens", vec![1, lengths.len()], &lengths),
    }
    draw.ints("sequence_lens", &lengths);
}

pub fn sequence_lens_in_range(draw: &mut Draw) {
    let shape = draw.full_shape(2..=4);
    draw.tensor("input", &shape, Values::Any);
    let mut lengths = vec![1; shape[1]];
    let at = draw.way(lengths.len());
    lengths[at] = draw.beyond(0, shape[0] as i64);
    draw.ints("sequence_lens", &lengths);
}

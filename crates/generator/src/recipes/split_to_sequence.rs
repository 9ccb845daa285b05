//! Draws chunks of equal length (the last chunk may be smaller), chunks of listed lengths, and single slices that keep
//! the axis or not.

use crate::families::sequence;
use crate::prelude::*;

/// Gives the tensor to split, with this extent along the axis. The axis may be left out.
fn tensor_to_split(draw: &mut Draw, extent: usize) {
    sequence::element_type(draw);
    let mut shape = draw.full_shape(1..=4);
    let given = draw.give_attribute("axis");
    let at = if given { sequence::axis(draw, shape.len()) } else { 0 };
    shape[at] = extent;
    let beside = draw.below(shape.len());
    if beside != at && draw.once_in(8) {
        shape[beside] = 0;
        draw.feature("empty chunks");
    }
    draw.tensor("input", &shape, Values::Any);
}

pub fn split_to_sequence(draw: &mut Draw) {
    if !draw.give_input("split") {
        let extent = draw.range(1..=4) as usize;
        tensor_to_split(draw, extent);
        if draw.give_attribute("keepdims") {
            let keep = draw.choose(&[1, 0]);
            draw.int_attribute("keepdims", keep);
            if keep == 0 {
                draw.feature("axis left out");
            }
        }
        return;
    }
    if draw.flag() {
        let (chunk, extent) = (draw.range(1..=4), draw.range(1..=7));
        tensor_to_split(draw, extent as usize);
        if extent % chunk != 0 {
            draw.feature("last chunk smaller");
        }
        draw.int_scalar("split", chunk);
    } else {
        let lengths: Vec<i64> = (0..draw.range(1..=4)).map(|_| draw.range(1..=3)).collect();
        tensor_to_split(draw, lengths.iter().sum::<i64>() as usize);
        draw.feature("lengths listed");
        draw.ints("split", &lengths);
    }
    if draw.once_in(3) {
        draw.feature("keepdims without a meaning");
        draw.int_attribute("keepdims", 0);
    }
}

pub fn axis_in_range(draw: &mut Draw) {
    sequence::element_type(draw);
    let shape = draw.full_shape(0..=3);
    draw.tensor("input", &shape, Values::Any);
    let bad = draw.bad_axis(shape.len(), true);
    draw.int_attribute("axis", bad);
}

pub fn lengths_non_negative(draw: &mut Draw) {
    tensor_to_split(draw, 3);
    if draw.way(2) == 1 {
        let chunk = draw.way_of(&[0, -1]);
        draw.int_scalar("split", chunk);
    } else {
        let lengths = draw.way_of(&[[4, -1], [-1, 4]]);
        draw.ints("split", &lengths);
    }
}

pub fn lengths_fit_axis(draw: &mut Draw) {
    let lengths: Vec<i64> = (0..draw.range(1..=4)).map(|_| draw.range(1..=3)).collect();
    let sum: i64 = lengths.iter().sum();
    let off = draw.way_of(&[1, -1]);
    tensor_to_split(draw, (sum + off) as usize);
    draw.ints("split", &lengths);
}

pub fn split_rank_fits(draw: &mut Draw) {
    tensor_to_split(draw, 2);
    draw.int_tensor("split", vec![1, 2], &[1, 1]);
}

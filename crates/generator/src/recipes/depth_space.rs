//! Recipes for DepthToSpace, SpaceToDepth and ReverseSequence.

use crate::draw::Draw;
use crate::values::Values;

/// Draws batch, depth, height and width before depth or space is multiplied by the block, and the block size.
fn extents(draw: &mut Draw) -> ([usize; 4], usize) {
    let block = draw.range(1..=3) as usize;
    let mut extent = |most: i64| draw.range(1..=most) as usize;
    let mut extents = [extent(2), extent(3), extent(3), extent(4)];
    draw.enlarge(&mut extents, block * block);
    if draw.once_in(14) {
        let at = draw.below(4);
        extents[at] = 0;
        draw.feature("empty extent");
    }
    if block == 1 {
        draw.feature("blocks of one");
    }
    (extents, block)
}

/// Gives `mode`, if this version has it.
fn mode(draw: &mut Draw) {
    if draw.give_attribute("mode") {
        let mode = draw.choose(&["DCR", "CRD"]);
        draw.string_attribute("mode", mode);
        if mode == "CRD" {
            draw.feature("CRD");
        }
    }
}

pub fn depth_to_space(draw: &mut Draw) {
    let ([n, c, h, w], block) = extents(draw);
    draw.tensor("input", &[n, c * block * block, h, w], Values::Any);
    draw.int_attribute("blocksize", block as i64);
    mode(draw);
}

pub fn space_to_depth(draw: &mut Draw) {
    let ([n, c, h, w], block) = extents(draw);
    draw.tensor("input", &[n, c, h * block, w * block], Values::Any);
    draw.int_attribute("blocksize", block as i64);
    mode(draw);
}

fn other_rank(draw: &mut Draw) {
    let shape = draw.way_of(&[vec![4, 4, 4], vec![1, 4, 2, 2, 2], vec![4, 4]]);
    draw.tensor("input", &shape, Values::Any);
    draw.int_attribute("blocksize", 2);
}

fn no_block(draw: &mut Draw) {
    draw.tensor("input", &[1, 4, 2, 2], Values::Any);
    let block = draw.under(1);
    draw.int_attribute("blocksize", block);
}

fn other_mode(draw: &mut Draw) {
    draw.tensor("input", &[1, 4, 2, 2], Values::Any);
    draw.int_attribute("blocksize", 2);
    draw.string_attribute("mode", "RCD");
}

pub fn depth_to_space_rank_four(draw: &mut Draw) {
    other_rank(draw);
}

pub fn depth_to_space_blocksize_positive(draw: &mut Draw) {
    no_block(draw);
}

/// Gives a depth that the square of the block size does not divide. The largest block size is the largest int64.
pub fn depth_to_space_blocksize_divides_depth(draw: &mut Draw) {
    let (depth, block) = draw.way_of(&[(3, 2), (5, 2), (2, 2), (6, 2), (4, i64::MAX)]);
    draw.tensor("input", &[1, depth, 2, 3], Values::Any);
    draw.int_attribute("blocksize", block);
}

pub fn depth_to_space_mode_known(draw: &mut Draw) {
    other_mode(draw);
}

pub fn space_to_depth_rank_four(draw: &mut Draw) {
    other_rank(draw);
}

pub fn space_to_depth_blocksize_positive(draw: &mut Draw) {
    no_block(draw);
}

/// Gives a height or width that the block size does not divide. The largest block size is the largest int64.
pub fn space_to_depth_blocksize_divides_extents(draw: &mut Draw) {
    let (h, w, block) = draw.way_of(&[(2, 3, 2), (3, 2, 2), (1, 2, 2), (2, 1, 2), (2, 4, i64::MAX)]);
    draw.tensor("input", &[1, 2, h, w], Values::Any);
    draw.int_attribute("blocksize", block);
}

pub fn space_to_depth_mode_known(draw: &mut Draw) {
    other_mode(draw);
}

/// Gives both axes. If they are the defaults, either may be left out.
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

pub fn reverse_sequence_rank_at_least_two(draw: &mut Draw) {
    draw.tensor("input", &[3], Values::Any);
    draw.ints("sequence_lens", &[1, 1, 1]);
}

/// Gives the same axis twice, or an axis that is neither the first nor the second.
pub fn reverse_sequence_axes_are_first_two(draw: &mut Draw) {
    draw.tensor("input", &[2, 2, 2], Values::Any);
    draw.ints("sequence_lens", &[1, 2]);
    let (batch, time) = draw.way_of(&[(0, 0), (1, 1), (2, 0), (1, 2), (0, -1), (-1, 0), (0, 2), (2, 1)]);
    draw.int_attribute("batch_axis", batch);
    draw.int_attribute("time_axis", time);
}

pub fn reverse_sequence_sequence_lens_shape_fits(draw: &mut Draw) {
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

pub fn reverse_sequence_sequence_lens_in_range(draw: &mut Draw) {
    let shape = draw.full_shape(2..=4);
    draw.tensor("input", &shape, Values::Any);
    let mut lengths = vec![1; shape[1]];
    let at = draw.way(lengths.len());
    lengths[at] = draw.beyond(0, shape[0] as i64);
    draw.ints("sequence_lens", &lengths);
}

//! Draws block sizes from 1 to 3, depths that are multiples of the square of the block size, and both modes.

use crate::families::depth_space;
use crate::prelude::*;

pub use crate::families::depth_space::{
    unknown_mode as mode_known, wrong_blocksize as blocksize_positive, wrong_rank as rank_four,
};

pub fn depth_to_space(draw: &mut Draw) {
    let ([n, c, h, w], block) = depth_space::extents(draw);
    draw.tensor("input", &[n, c * block * block, h, w], Values::Any);
    draw.int_attribute("blocksize", block as i64);
    depth_space::mode(draw);
}

/// Gives a depth that the square of the block size does not divide. One of the block sizes is the largest int64.
pub fn blocksize_divides_depth(draw: &mut Draw) {
    let (depth, block) = draw.way_of(&[(3, 2), (5, 2), (2, 2), (6, 2), (4, i64::MAX)]);
    draw.tensor("input", &[1, depth, 2, 3], Values::Any);
    draw.int_attribute("blocksize", block);
}

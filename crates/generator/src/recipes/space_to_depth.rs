//! Draws block sizes from 1 to 3, and heights and widths that are multiples of the block size.

use crate::families::depth_space;
use crate::prelude::*;

pub use crate::families::depth_space::{
    unknown_mode as mode_known, wrong_blocksize as blocksize_positive, wrong_rank as rank_four,
};

pub fn space_to_depth(draw: &mut Draw) {
    let ([n, c, h, w], block) = depth_space::extents(draw);
    draw.tensor("input", &[n, c, h * block, w * block], Values::Any);
    draw.int_attribute("blocksize", block as i64);
    depth_space::mode(draw);
}

/// Gives a height or width that the block size does not divide. The largest block size is the largest int64.
pub fn blocksize_divides_extents(draw: &mut Draw) {
    let (h, w, block) = draw.way_of(&[(2, 3, 2), (3, 2, 2), (1, 2, 2), (2, 1, 2), (2, 4, i64::MAX)]);
    draw.tensor("input", &[1, 2, h, w], Values::Any);
    draw.int_attribute("blocksize", block);
}

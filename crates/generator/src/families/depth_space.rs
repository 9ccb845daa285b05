//! Blocks for DepthToSpace and SpaceToDepth.

use crate::prelude::*;

/// Draws the block size, and the extents of batch, depth, height and width. The caller multiplies some of them by the
/// block size or its square.
pub fn extents(draw: &mut Draw) -> ([usize; 4], usize) {
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

/// Gives `mode`, or leaves it out.
pub fn mode(draw: &mut Draw) {
    if draw.give_attribute("mode") {
        let mode = draw.choose(&["DCR", "CRD"]);
        draw.string_attribute("mode", mode);
        if mode == "CRD" {
            draw.feature("CRD");
        }
    }
}

/// Gives an input that does not have four axes.
pub fn wrong_rank(draw: &mut Draw) {
    let shape = draw.way_of(&[vec![4, 4, 4], vec![1, 4, 2, 2, 2], vec![4, 4]]);
    draw.tensor("input", &shape, Values::Any);
    draw.int_attribute("blocksize", 2);
}

/// Gives a block size below 1.
pub fn wrong_blocksize(draw: &mut Draw) {
    draw.tensor("input", &[1, 4, 2, 2], Values::Any);
    let block = draw.under(1);
    draw.int_attribute("blocksize", block);
}

/// Gives an unknown mode.
pub fn unknown_mode(draw: &mut Draw) {
    draw.tensor("input", &[1, 4, 2, 2], Values::Any);
    draw.int_attribute("blocksize", 2);
    draw.string_attribute("mode", "RCD");
}

//! Axes as cases write them, for Concat, Split, Squeeze and Unsqueeze.

use crate::prelude::*;

/// Returns an axis as the case writes it. From version 11 on, half of the axes count from the back.
pub fn from_either_end(draw: &mut Draw, axis: usize, rank: usize) -> i64 {
    if draw.since() >= 11 && draw.flag() {
        draw.feature("negative axis");
        return axis as i64 - rank as i64;
    }
    axis as i64
}

/// Returns these axes in any order. From version 11 on, some are counted from the back.
pub fn in_any_order(draw: &mut Draw, axes: &[usize], rank: usize) -> Vec<i64> {
    let mut left = axes.to_vec();
    let mut written = Vec::new();
    while !left.is_empty() {
        let at = draw.below(left.len());
        let axis = left.remove(at) as i64;
        if draw.since() >= 11 && draw.flag() {
            draw.feature("negative axis");
            written.push(axis - rank as i64);
        } else {
            written.push(axis);
        }
    }
    if written.windows(2).any(|w| w[0] > w[1]) {
        draw.feature("axes in another order");
    }
    written
}

/// Gives the axes as the version takes them: as an attribute or as an input.
pub fn give(draw: &mut Draw, axes: &[i64]) {
    if draw.has_attribute("axes") {
        draw.ints_attribute("axes", axes);
    } else {
        draw.ints("axes", axes);
    }
}

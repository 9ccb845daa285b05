//! Indices into data, for the operators that gather and those that scatter.

use crate::prelude::*;

/// Draws an index into an extent. The first and the last are drawn more often than others, and if `negative` is set,
/// half of the indices count from the end.
pub fn index(draw: &mut Draw, extent: usize, negative: bool) -> i64 {
    let extent = extent as i64;
    let at = match draw.below(6) {
        4 => 0,
        5 => extent - 1,
        _ => draw.range(0..=extent - 1),
    };
    if negative && draw.flag() {
        draw.feature("negative index");
        return at - extent;
    }
    at
}

/// Draws an index out of the range of the extent, mostly by one.
pub fn out_of_range(draw: &mut Draw, extent: usize) -> i64 {
    let extent = extent as i64;
    draw.beyond(-extent, extent - 1)
}

/// Draws the shape of indices for `data`. Along the axis the extent can be anything up to 4; along the others it is at
/// most that of `data`.
pub fn narrower_shape(draw: &mut Draw, data: &[usize], axis: usize) -> Vec<usize> {
    let extent = |(d, &extent): (usize, &usize)| {
        let most = if d == axis { 4 } else { extent };
        if d == axis && extent == 0 { 0 } else { draw.range(most.min(1) as i64..=most as i64) as usize }
    };
    data.iter().enumerate().map(extent).collect()
}

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

/// Draws the shape of indices for `data`. The extent of `axis` is 1 to 4, or 0 if `data` has extent 0 there. The extent
/// of every other axis is at most that in `data`.
pub fn narrower_shape(draw: &mut Draw, data: &[usize], axis: usize) -> Vec<usize> {
    let extent = |(d, &extent): (usize, &usize)| {
        let most = if d == axis { 4 } else { extent };
        if d == axis && extent == 0 { 0 } else { draw.range(most.min(1) as i64..=most as i64) as usize }
    };
    data.iter().enumerate().map(extent).collect()
}

/// Gives data and indices of ranks that differ, or both with rank 0, and returns the shape of the indices.
pub fn of_another_rank(draw: &mut Draw) -> Vec<usize> {
    let way = draw.way(3);
    let data = draw.full_shape(way..=3 * way.min(1));
    draw.tensor("data", &data, Values::Any);
    // Data and indices have no axes, or the indices have one axis more than the data, or one axis less.
    let rank = match way {
        0 => 0,
        1 => data.len() + 1,
        _ => data.len() - 1,
    };
    draw.int_tensor("indices", vec![1; rank], &[0]);
    vec![1; rank]
}

/// Gives indices with a larger extent than the data has, on an axis other than `axis`, and returns their shape.
pub fn too_wide(draw: &mut Draw) -> Vec<usize> {
    let data = draw.full_shape(2..=4);
    draw.tensor("data", &data, Values::Any);
    let axis = draw.way(data.len());
    let mut shape = vec![1; data.len()];
    let wide = (axis + 1 + draw.way(data.len() - 1)) % data.len();
    shape[wide] = data[wide] + 1;
    draw.int_tensor("indices", shape.clone(), &vec![0; shape[wide]]);
    draw.int_attribute("axis", axis as i64);
    shape
}

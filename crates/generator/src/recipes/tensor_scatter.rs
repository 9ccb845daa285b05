//! Draws updates as long as the cache and shorter ones, written at any place where they fit. In circular mode they may
//! also go around the end.

use crate::prelude::*;

/// Gives a cache of this shape and an update that may be shorter along the axis. Returns the update's extent along the
/// axis.
fn cache_and_update(draw: &mut Draw, shape: &[usize], axis: usize) -> usize {
    draw.tensor("past_cache", shape, Values::Any);
    let length = draw.range(0..=shape[axis] as i64) as usize;
    let length = if length == 0 && !draw.once_in(6) { shape[axis] } else { length };
    let mut update = shape.to_vec();
    update[axis] = length;
    draw.tensor("update", &update, Values::Any);
    length
}

pub fn tensor_scatter(draw: &mut Draw) {
    let given = draw.give_attribute("axis");
    let shape = draw.shape(if given { 2..=5 } else { 3..=5 });
    let rank = shape.len();
    let mut axis = rank - 2;
    if given {
        axis = 1 + draw.below(rank - 1);
        let negative = draw.flag();
        draw.int_attribute("axis", if negative { axis as i64 - rank as i64 } else { axis as i64 });
    }
    let length = cache_and_update(draw, &shape, axis);
    let circular = draw.give_attribute("mode") && {
        let mode = draw.choose(&["circular", "linear"]);
        draw.string_attribute("mode", mode);
        mode == "circular"
    };
    if draw.give_input("write_indices") {
        let most = if circular { 2 * shape[axis] } else { shape[axis] - length };
        let starts: Vec<i64> = (0..shape[0]).map(|_| draw.range(0..=most as i64)).collect();
        let empty = length == 0 || shape.contains(&0);
        if !empty && starts.iter().any(|&start| start as usize % shape[axis] + length > shape[axis]) {
            draw.feature("around the end");
        }
        draw.int_tensor("write_indices", vec![shape[0]], &starts);
    }
}

pub fn axis_in_range(draw: &mut Draw) {
    draw.tensor("past_cache", &[2, 3], Values::Any);
    draw.tensor("update", &[2, 3], Values::Any);
    // With two dimensions the default axis, -2, is the batch axis, which is invalid.
    let axis = draw.way_of(&[0, -2, 2, -3, i64::MAX, i64::MIN]);
    if axis != -2 || draw.way(2) == 1 {
        draw.int_attribute("axis", axis);
    }
}

pub fn update_fits_cache(draw: &mut Draw) {
    draw.tensor("past_cache", &[2, 3, 2], Values::Any);
    let update = draw.way_of(&[vec![2, 4, 2], vec![2, 3, 3], vec![1, 3, 2], vec![2, 3], vec![2, 3, 2, 1]]);
    draw.tensor("update", &update, Values::Any);
}

fn plain(draw: &mut Draw) {
    draw.tensor("past_cache", &[2, 3, 2], Values::Any);
    draw.tensor("update", &[2, 2, 2], Values::Any);
}

pub fn write_indices_per_batch(draw: &mut Draw) {
    plain(draw);
    let shape = draw.way_of(&[vec![3], vec![1], vec![2, 1], vec![]]);
    let count = shape.iter().product();
    draw.int_tensor("write_indices", shape, &vec![0; count]);
}

pub fn write_indices_in_range(draw: &mut Draw) {
    plain(draw);
    let start = draw.way_of(&[2, -1, 3, 100]);
    draw.int_tensor("write_indices", vec![2], &[0, start]);
}

pub fn mode_known(draw: &mut Draw) {
    plain(draw);
    let mode = draw.way_of(&["Linear", "wrap", ""]);
    draw.string_attribute("mode", mode);
}

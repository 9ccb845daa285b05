//! Draws lists and matrices of indices into the last axis.

use crate::prelude::*;

pub fn array_feature_extractor(draw: &mut Draw) {
    let shape = draw.shape(2..=4);
    draw.tensor("X", &shape, Values::Any);
    let extent = shape.last().copied().unwrap_or(1) as i64;
    let places = draw.choose(&[vec![1], vec![2], vec![5], vec![1, 3], vec![2, 2]]);
    let count: usize = places.iter().product();
    if extent == 0 {
        return draw.int_tensor("Y", vec![0], &[]);
    }
    if places.len() > 1 {
        draw.feature("matrix of indices");
    }
    let indices: Vec<i64> = draw.block(count, extent as u64).into_iter().map(|i| i as i64).collect();
    draw.int_tensor("Y", places, &indices);
}

pub fn rank_at_least_one(draw: &mut Draw) {
    draw.tensor("X", &[], Values::Any);
    draw.int_tensor("Y", vec![1], &[0]);
}

pub fn indices_in_range(draw: &mut Draw) {
    draw.tensor("X", &[2, 3], Values::Any);
    let bad = draw.way_of(&[3, -1, 1000, i64::MAX, -4, i64::MIN]);
    draw.int_tensor("Y", vec![2], &[1, bad]);
}

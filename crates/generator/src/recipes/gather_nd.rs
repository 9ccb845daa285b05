//! Draws tuples of indices that select elements or slices, with and without batch axes.

use crate::families::indices;
use crate::prelude::*;

pub fn gather_nd(draw: &mut Draw) {
    let data = draw.full_shape(1..=5);
    let r = data.len();
    let given = draw.give_attribute("batch_dims");
    let b = if given { draw.below(r) } else { 0 };
    let k = draw.range(1..=(r - b) as i64) as usize;
    if b > 0 {
        draw.feature("batches");
    }
    if k < r - b {
        draw.feature("slices");
    }
    draw.tensor("data", &data, Values::Any);
    let mut shape = data[..b].to_vec();
    for _ in 0..draw.range(0..=2) {
        shape.push(if draw.once_in(12) { 0 } else { draw.range(1..=3) as usize });
    }
    if shape.contains(&0) {
        draw.feature("no index");
    }
    shape.push(k);
    let count: usize = shape.iter().product();
    let indices: Vec<i64> = (0..count).map(|i| indices::index(draw, data[b + i % k], true)).collect();
    draw.int_tensor("indices", shape, &indices);
    if given {
        draw.int_attribute("batch_dims", b as i64);
    }
}

pub fn rank_at_least_one(draw: &mut Draw) {
    if draw.way(2) == 1 {
        draw.tensor("data", &[], Values::Any);
        draw.int_tensor("indices", vec![1, 1], &[0]);
    } else {
        draw.tensor("data", &[3], Values::Any);
        draw.int_tensor("indices", vec![], &[0]);
    }
}

/// Gives index tuples that are longer than the rank of the data, or empty.
pub fn index_length_fits_rank(draw: &mut Draw) {
    let data = draw.full_shape(1..=3);
    draw.tensor("data", &data, Values::Any);
    let k = if draw.way(2) == 1 { 0 } else { data.len() + 1 };
    draw.int_tensor("indices", vec![2, k], &vec![0; 2 * k]);
}

pub fn indices_in_range(draw: &mut Draw) {
    let data = draw.full_shape(1..=3);
    draw.tensor("data", &data, Values::Any);
    let mut indices = vec![0; 2 * data.len()];
    let at = draw.way(indices.len());
    indices[at] = indices::out_of_range(draw, data[at % data.len()]);
    draw.int_tensor("indices", vec![2, data.len()], &indices);
}

pub fn batch_extents_equal(draw: &mut Draw) {
    let data = draw.full_shape(3..=4);
    draw.tensor("data", &data, Values::Any);
    let batches = 1 + draw.way(2);
    let mut shape = data[..batches].to_vec();
    let at = draw.way(batches);
    shape[at] = draw.other_extent(shape[at]);
    shape.push(1);
    let count: usize = shape.iter().product();
    draw.int_tensor("indices", shape, &vec![0; count]);
    draw.int_attribute("batch_dims", batches as i64);
}

/// Gives a `batch_dims` that is negative or leaves no axis of the data or of the indices after the batch axes.
pub fn batch_dims_in_range(draw: &mut Draw) {
    let data = draw.full_shape(2..=4);
    draw.tensor("data", &data, Values::Any);
    // `batch_dims` is at least the rank of the data, equal to the rank of the indices, or negative.
    let (shape, batches) = match draw.way(3) {
        0 => ([&data[..], &[1]].concat(), draw.above(data.len() as i64 - 1)),
        1 => (data[..1].to_vec(), 1),
        _ => (vec![1], draw.under(0)),
    };
    let count: usize = shape.iter().product();
    draw.int_tensor("indices", shape, &vec![0; count]);
    draw.int_attribute("batch_dims", batches);
}

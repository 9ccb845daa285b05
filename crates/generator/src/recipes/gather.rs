//! Recipes for Gather, GatherElements and GatherND.

use crate::draw::Draw;
use crate::values::Values;

/// Draws an index into an extent. The first and the last are drawn more often than others, and if `negative` is set,
/// half of the indices count from the end.
pub(super) fn index(draw: &mut Draw, extent: usize, negative: bool) -> i64 {
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
pub(super) fn bad_index(draw: &mut Draw, extent: usize) -> i64 {
    let extent = extent as i64;
    draw.beyond(-extent, extent - 1)
}

pub fn gather(draw: &mut Draw) {
    let data = draw.shape(1..=4);
    draw.tensor("data", &data, Values::Any);
    let given = draw.give_attribute("axis");
    let axis = if given { draw.axis(data.len(), true) } else { 0 };
    let extent = data[axis.rem_euclid(data.len() as i64) as usize];
    let mut shape = draw.full_shape(0..=2);
    if extent == 0 {
        // The axis has no elements to choose, so there are no indices.
        shape.insert(0, 0);
    } else if !shape.is_empty() && draw.once_in(10) {
        shape[0] = 0;
        draw.feature("no index");
    }
    let negative = draw.since() >= 11;
    let count: usize = shape.iter().product();
    let indices: Vec<i64> = (0..count).map(|_| index(draw, extent, negative)).collect();
    if shape.is_empty() {
        draw.feature("scalar index");
    }
    draw.int_tensor("indices", shape, &indices);
    if given {
        draw.int_attribute("axis", axis);
    }
}

pub fn gather_rank_at_least_one(draw: &mut Draw) {
    draw.tensor("data", &[], Values::Any);
    draw.int_tensor("indices", vec![1], &[0]);
}

pub fn gather_axis_in_range(draw: &mut Draw) {
    let data = draw.full_shape(1..=4);
    draw.tensor("data", &data, Values::Any);
    draw.int_tensor("indices", vec![1], &[0]);
    let axis = draw.bad_axis(data.len(), true);
    draw.int_attribute("axis", axis);
}

pub fn gather_indices_in_range(draw: &mut Draw) {
    let data = draw.full_shape(1..=4);
    draw.tensor("data", &data, Values::Any);
    let axis = draw.way(data.len());
    let mut indices = vec![0; 3];
    let at = draw.way(3);
    indices[at] = bad_index(draw, data[axis]);
    draw.int_tensor("indices", vec![3], &indices);
    draw.int_attribute("axis", axis as i64);
}

/// Draws the shape of indices for `data`. Along the axis the extent can be anything up to 4; along the others it is at
/// most that of `data`.
pub(super) fn narrower(draw: &mut Draw, data: &[usize], axis: usize) -> Vec<usize> {
    let extent = |(d, &extent): (usize, &usize)| {
        let most = if d == axis { 4 } else { extent };
        if d == axis && extent == 0 { 0 } else { draw.range(most.min(1) as i64..=most as i64) as usize }
    };
    data.iter().enumerate().map(extent).collect()
}

pub fn gather_elements(draw: &mut Draw) {
    let data = draw.shape(1..=4);
    draw.tensor("data", &data, Values::Any);
    let given = draw.give_attribute("axis");
    let axis = if given { draw.axis(data.len(), true) } else { 0 };
    let at = axis.rem_euclid(data.len() as i64) as usize;
    let shape = narrower(draw, &data, at);
    if (0..data.len()).any(|d| d != at && shape[d] < data[d]) {
        draw.feature("narrower indices");
    }
    let count: usize = shape.iter().product();
    let indices: Vec<i64> = (0..count).map(|_| index(draw, data[at], true)).collect();
    draw.int_tensor("indices", shape, &indices);
    if given {
        draw.int_attribute("axis", axis);
    }
}

/// Gives indices of another rank than the data, or both of rank 0.
pub fn gather_elements_ranks_equal(draw: &mut Draw) {
    let least = draw.way(3);
    let data = draw.full_shape(least..=3 * least.min(1));
    draw.tensor("data", &data, Values::Any);
    // One axis more, one axis less, or none on either side.
    let rank = match least {
        0 => 0,
        1 => data.len() + 1,
        _ => data.len() - 1,
    };
    draw.int_tensor("indices", vec![1; rank], &[0]);
}

pub fn gather_elements_axis_in_range(draw: &mut Draw) {
    let data = draw.full_shape(1..=4);
    draw.tensor("data", &data, Values::Any);
    draw.int_tensor("indices", vec![1; data.len()], &[0]);
    let axis = draw.bad_axis(data.len(), true);
    draw.int_attribute("axis", axis);
}

pub fn gather_elements_indices_in_range(draw: &mut Draw) {
    let data = draw.full_shape(1..=4);
    draw.tensor("data", &data, Values::Any);
    let axis = draw.way(data.len());
    let mut shape = vec![1; data.len()];
    shape[axis] = 3;
    let mut indices = vec![0; 3];
    let at = draw.way(3);
    indices[at] = bad_index(draw, data[axis]);
    draw.int_tensor("indices", shape, &indices);
    draw.int_attribute("axis", axis as i64);
}

/// Gives indices with a larger extent than the data has, on an axis other than `axis`.
pub fn gather_elements_indices_fit_data(draw: &mut Draw) {
    let data = draw.full_shape(2..=4);
    draw.tensor("data", &data, Values::Any);
    let axis = draw.way(data.len());
    let mut shape = vec![1; data.len()];
    let wide = (axis + 1 + draw.way(data.len() - 1)) % data.len();
    shape[wide] = data[wide] + 1;
    draw.int_tensor("indices", shape.clone(), &vec![0; shape[wide]]);
    draw.int_attribute("axis", axis as i64);
}

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
    let indices: Vec<i64> = (0..count).map(|i| index(draw, data[b + i % k], true)).collect();
    draw.int_tensor("indices", shape, &indices);
    if given {
        draw.int_attribute("batch_dims", b as i64);
    }
}

pub fn gather_nd_rank_at_least_one(draw: &mut Draw) {
    if draw.way(2) == 1 {
        draw.tensor("data", &[], Values::Any);
        draw.int_tensor("indices", vec![1, 1], &[0]);
    } else {
        draw.tensor("data", &[3], Values::Any);
        draw.int_tensor("indices", vec![], &[0]);
    }
}

/// Gives index tuples that are longer than the rank of the data, or empty.
pub fn gather_nd_index_length_fits_rank(draw: &mut Draw) {
    let data = draw.full_shape(1..=3);
    draw.tensor("data", &data, Values::Any);
    let k = if draw.way(2) == 1 { 0 } else { data.len() + 1 };
    draw.int_tensor("indices", vec![2, k], &vec![0; 2 * k]);
}

pub fn gather_nd_indices_in_range(draw: &mut Draw) {
    let data = draw.full_shape(1..=3);
    draw.tensor("data", &data, Values::Any);
    let mut indices = vec![0; 2 * data.len()];
    let at = draw.way(indices.len());
    indices[at] = bad_index(draw, data[at % data.len()]);
    draw.int_tensor("indices", vec![2, data.len()], &indices);
}

pub fn gather_nd_batch_extents_equal(draw: &mut Draw) {
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

/// Gives a `batch_dims` that leaves no axis after the batch axes.
pub fn gather_nd_batch_dims_in_range(draw: &mut Draw) {
    let data = draw.full_shape(2..=4);
    draw.tensor("data", &data, Values::Any);
    // As many batch axes as the data has, as many as the indices have, or a negative number of them.
    let (shape, batches) = match draw.way(3) {
        0 => ([&data[..], &[1]].concat(), draw.above(data.len() as i64 - 1)),
        1 => (data[..1].to_vec(), 1),
        _ => (vec![1], draw.under(0)),
    };
    let count: usize = shape.iter().product();
    draw.int_tensor("indices", shape, &vec![0; count]);
    draw.int_attribute("batch_dims", batches);
}

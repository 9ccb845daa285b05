//! Recipes for Scatter, ScatterElements and ScatterND.

use plumbline_tensor::DType;

use super::gather::{bad_index, narrower};
use crate::draw::Draw;
use crate::values::Values;

/// Gives `reduction` in some cases, and returns its value with the values to draw for it.
fn reduction(draw: &mut Draw) -> (&'static str, Values) {
    if !draw.give_attribute("reduction") {
        return ("none", Values::Any);
    }
    // The specification defines the arithmetic only for numbers.
    let numbers = !matches!(draw.dtype("T"), DType::Bool | DType::String | DType::Complex64 | DType::Complex128);
    let name = match (numbers, draw.since() >= 18) {
        (false, _) => "none",
        (true, false) => draw.choose(&["none", "add", "mul"]),
        (true, true) => draw.choose(&["none", "add", "mul", "max", "min"]),
    };
    draw.string_attribute("reduction", name);
    match name {
        "add" => draw.feature("added"),
        "mul" => draw.feature("multiplied"),
        "max" => draw.feature("larger"),
        "min" => draw.feature("smaller"),
        _ => {}
    }
    let values =
        if name == "none" { Values::Any } else { draw.choose(&[Values::Moderate, Values::Moderate, Values::Any]) };
    (name, values)
}

/// Draws `count` different numbers below `bound`, or all of them if there are fewer.
fn distinct(draw: &mut Draw, count: usize, bound: usize) -> Vec<usize> {
    let mut left: Vec<usize> = (0..bound).collect();
    let mut chosen = Vec::new();
    for _ in 0..count {
        if left.is_empty() {
            break;
        }
        let at = draw.below(left.len());
        chosen.push(left.swap_remove(at));
    }
    chosen
}

/// Returns an index as the case writes it. If `negative` is set, half of the indices count from the end.
fn written(draw: &mut Draw, index: usize, extent: usize, negative: bool) -> i64 {
    if negative && draw.flag() {
        draw.feature("negative index");
        return index as i64 - extent as i64;
    }
    index as i64
}

fn along_an_axis(draw: &mut Draw) {
    let data = draw.shape(1..=4);
    let (name, values) = reduction(draw);
    draw.tensor("data", &data, values);
    let given = draw.give_attribute("axis");
    let axis = if given { draw.axis(data.len(), true) } else { 0 };
    let at = axis.rem_euclid(data.len() as i64) as usize;
    let mut shape = narrower(draw, &data, at);
    if (0..data.len()).any(|i| i != at && shape[i] < data[i]) {
        draw.feature("indices narrower than data");
    }
    let extent = data[at];
    // From version 16 on, two updates of one element are allowed only with a reduction. Before that, their order is
    // left open.
    let twice = name == "none" && draw.since() < 16 && extent > 0 && draw.once_in(6);
    if name == "none" && !twice {
        shape[at] = shape[at].min(extent);
    }
    if twice {
        shape[at] = 2;
        draw.feature("two updates for one element");
    }
    let count: usize = shape.iter().product();
    let inner: usize = shape[at + 1..].iter().product();
    let length = shape[at];
    let mut indices = vec![0; count];
    let lines = count.checked_div(length).unwrap_or(0);
    for line in 0..lines {
        let mut chosen = distinct(draw, length, extent);
        while chosen.len() < length || name != "none" && draw.once_in(4) {
            // Repeats an index if there are more updates than elements, or now and then with a reduction.
            let again = draw.below(extent);
            if chosen.len() < length { chosen.push(again) } else { chosen[length - 1] = again }
        }
        if twice {
            chosen[length - 1] = chosen[0];
        }
        for (i, index) in chosen.into_iter().enumerate() {
            let place = (line / inner * length + i) * inner + line % inner;
            indices[place] = written(draw, index, extent, draw.since() >= 11);
        }
    }
    draw.int_tensor("indices", shape.clone(), &indices);
    draw.tensor("updates", &shape, values);
    if given {
        draw.int_attribute("axis", axis);
    }
}

pub fn scatter(draw: &mut Draw) {
    along_an_axis(draw);
}

pub fn scatter_elements(draw: &mut Draw) {
    along_an_axis(draw);
}

/// Gives indices and updates of another rank than the data, or everything with rank 0.
fn other_ranks(draw: &mut Draw) {
    let way = draw.way(3);
    let data = draw.full_shape(way..=3 * way.min(1));
    draw.tensor("data", &data, Values::Any);
    // One axis more, one axis less, or none on either side.
    let rank = match way {
        0 => 0,
        1 => data.len() + 1,
        _ => data.len() - 1,
    };
    let shape = vec![1; rank];
    draw.int_tensor("indices", shape.clone(), &[0]);
    draw.tensor("updates", &shape, Values::Any);
}

/// Gives data, and one line of indices and one of updates along an axis, with these lengths. Returns the shape of the
/// data and the axis.
fn line(draw: &mut Draw, indices: usize, updates: usize) -> (Vec<usize>, usize) {
    let data = draw.full_shape(1..=4);
    draw.tensor("data", &data, Values::Any);
    let axis = draw.below(data.len());
    let shape = |length: usize| {
        let mut shape = vec![1; data.len()];
        shape[axis] = length;
        shape
    };
    draw.int_tensor("indices", shape(indices), &vec![0; indices]);
    draw.tensor("updates", &shape(updates), Values::Any);
    (data, axis)
}

fn other_updates(draw: &mut Draw) {
    let (indices, updates) = draw.way_of(&[(1, 2), (2, 1), (2, 3)]);
    let (_, axis) = line(draw, indices, updates);
    draw.int_attribute("axis", axis as i64);
}

fn outside_axis(draw: &mut Draw) {
    let (data, _) = line(draw, 1, 1);
    let axis = draw.bad_axis(data.len(), true);
    draw.int_attribute("axis", axis);
}

fn outside_index(draw: &mut Draw) {
    let data = draw.full_shape(1..=4);
    draw.tensor("data", &data, Values::Any);
    let axis = draw.way(data.len());
    let shape = vec![1; data.len()];
    let index = bad_index(draw, data[axis]);
    draw.int_tensor("indices", shape.clone(), &[index]);
    draw.tensor("updates", &shape, Values::Any);
    draw.int_attribute("axis", axis as i64);
}

/// Gives indices with a larger extent than the data has, on an axis other than `axis`.
fn too_wide(draw: &mut Draw) {
    let data = draw.full_shape(2..=4);
    draw.tensor("data", &data, Values::Any);
    let axis = draw.way(data.len());
    let mut shape = vec![1; data.len()];
    let wide = (axis + 1 + draw.way(data.len() - 1)) % data.len();
    shape[wide] = data[wide] + 1;
    draw.int_tensor("indices", shape.clone(), &vec![0; shape[wide]]);
    draw.tensor("updates", &shape, Values::Any);
    draw.int_attribute("axis", axis as i64);
}

fn other_reduction(draw: &mut Draw) {
    let name = if draw.since() < 18 { draw.way_of(&["max", "min", "sub"]) } else { draw.way_of(&["sub", "ADD"]) };
    draw.string_attribute("reduction", name);
}

pub fn scatter_ranks_equal(draw: &mut Draw) {
    other_ranks(draw);
}

pub fn scatter_updates_shape_fits(draw: &mut Draw) {
    other_updates(draw);
}

pub fn scatter_axis_in_range(draw: &mut Draw) {
    outside_axis(draw);
}

pub fn scatter_indices_in_range(draw: &mut Draw) {
    outside_index(draw);
}

pub fn scatter_indices_fit_data(draw: &mut Draw) {
    too_wide(draw);
}

pub fn scatter_elements_ranks_equal(draw: &mut Draw) {
    other_ranks(draw);
}

pub fn scatter_elements_updates_shape_fits(draw: &mut Draw) {
    other_updates(draw);
}

pub fn scatter_elements_axis_in_range(draw: &mut Draw) {
    outside_axis(draw);
}

pub fn scatter_elements_indices_in_range(draw: &mut Draw) {
    outside_index(draw);
}

pub fn scatter_elements_indices_fit_data(draw: &mut Draw) {
    too_wide(draw);
}

pub fn scatter_elements_reduction_known(draw: &mut Draw) {
    let (_, axis) = line(draw, 1, 1);
    draw.int_attribute("axis", axis as i64);
    other_reduction(draw);
}

pub fn scatter_nd(draw: &mut Draw) {
    let data = draw.full_shape(1..=4);
    let (name, values) = reduction(draw);
    draw.tensor("data", &data, values);
    let k = draw.range(1..=data.len() as i64) as usize;
    if k < data.len() {
        draw.feature("slices");
    }
    let places: usize = data[..k].iter().product();
    let mut outer = Vec::new();
    for _ in 0..draw.range(0..=2) {
        let most = places / outer.iter().product::<usize>().max(1);
        let most = if name == "none" { most.min(3) } else { 3 };
        outer.push(if draw.once_in(12) { 0 } else { draw.range(most.min(1) as i64..=most as i64) as usize });
    }
    let count: usize = outer.iter().product();
    if count == 0 {
        draw.feature("no update");
    }
    let mut chosen = distinct(draw, count, places);
    while chosen.len() < count || name != "none" && count > 0 && draw.once_in(3) {
        let again = draw.below(places);
        if chosen.len() < count { chosen.push(again) } else { chosen[count - 1] = again }
    }
    let mut indices = Vec::new();
    for place in chosen {
        let mut rest = place;
        let mut tuple = vec![0; k];
        for d in (0..k).rev() {
            tuple[d] = written(draw, rest % data[d], data[d], true);
            rest /= data[d];
        }
        indices.extend(tuple);
    }
    draw.int_tensor("indices", [&outer[..], &[k]].concat(), &indices);
    draw.tensor("updates", &[&outer[..], &data[k..]].concat(), values);
}

pub fn scatter_nd_rank_at_least_one(draw: &mut Draw) {
    if draw.way(2) == 1 {
        draw.tensor("data", &[], Values::Any);
        draw.int_tensor("indices", vec![1, 1], &[0]);
        draw.tensor("updates", &[1], Values::Any);
    } else {
        draw.tensor("data", &[3], Values::Any);
        draw.int_tensor("indices", vec![], &[0]);
        draw.tensor("updates", &[], Values::Any);
    }
}

pub fn scatter_nd_index_length_fits_rank(draw: &mut Draw) {
    let data = draw.full_shape(1..=3);
    draw.tensor("data", &data, Values::Any);
    let k = data.len() + 1;
    draw.int_tensor("indices", vec![2, k], &vec![0; 2 * k]);
    draw.tensor("updates", &[2], Values::Any);
}

/// Gives updates of another shape than the part of the data that they replace.
pub fn scatter_nd_updates_shape_fits(draw: &mut Draw) {
    let data = draw.full_shape(2..=4);
    draw.tensor("data", &data, Values::Any);
    draw.int_tensor("indices", vec![1, 1], &[0]);
    let mut shape = [&[1], &data[1..]].concat();
    match draw.way(3) {
        // One axis less, or one axis more.
        0 => drop(shape.pop()),
        1 => shape.push(1),
        _ => shape = draw.other_shape(&shape),
    }
    draw.tensor("updates", &shape, Values::Any);
}

pub fn scatter_nd_indices_in_range(draw: &mut Draw) {
    let data = draw.full_shape(1..=3);
    draw.tensor("data", &data, Values::Any);
    let mut indices = vec![0; data.len()];
    let at = draw.way(indices.len());
    indices[at] = bad_index(draw, data[at]);
    draw.int_tensor("indices", vec![1, data.len()], &indices);
    draw.tensor("updates", &[1], Values::Any);
}

pub fn scatter_nd_reduction_known(draw: &mut Draw) {
    let data = draw.full_shape(1..=3);
    draw.tensor("data", &data, Values::Any);
    draw.int_tensor("indices", vec![1, data.len()], &vec![0; data.len()]);
    draw.tensor("updates", &[1], Values::Any);
    other_reduction(draw);
}

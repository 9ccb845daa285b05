//! Updates and negative cases of Scatter, ScatterElements and ScatterND.

use crate::families::indices;
use crate::prelude::*;

/// Gives `reduction` in some cases. Returns the name of the reduction, and which elements to draw for data and updates.
pub fn reduction(draw: &mut Draw) -> (&'static str, Values) {
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
pub fn distinct_numbers(draw: &mut Draw, count: usize, bound: usize) -> Vec<usize> {
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

/// Returns this index as it is or, for half of the indices if `negative` is set, counted from the end.
pub fn from_either_end(draw: &mut Draw, index: usize, extent: usize, negative: bool) -> i64 {
    if negative && draw.flag() {
        draw.feature("negative index");
        return index as i64 - extent as i64;
    }
    index as i64
}

/// Gives data, indices along an axis, and an update for each index.
pub fn along_an_axis(draw: &mut Draw) {
    let data = draw.shape(1..=4);
    let (name, values) = reduction(draw);
    draw.tensor("data", &data, values);
    let given = draw.give_attribute("axis");
    let axis = if given { draw.axis(data.len(), true) } else { 0 };
    let at = axis.rem_euclid(data.len() as i64) as usize;
    let mut shape = indices::narrower_shape(draw, &data, at);
    if (0..data.len()).any(|i| i != at && shape[i] < data[i]) {
        draw.feature("indices narrower than data");
    }
    let extent = data[at];
    // From version 16 on, two updates of one element are allowed only with a reduction. Earlier versions leave the
    // order of such updates open.
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
        let mut chosen = distinct_numbers(draw, length, extent);
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
            indices[place] = from_either_end(draw, index, extent, draw.since() >= 11);
        }
    }
    draw.int_tensor("indices", shape.clone(), &indices);
    draw.tensor("updates", &shape, values);
    if given {
        draw.int_attribute("axis", axis);
    }
}

/// Gives indices and updates of another rank than the data, or everything with rank 0.
pub fn wrong_ranks(draw: &mut Draw) {
    let shape = indices::of_another_rank(draw);
    draw.tensor("updates", &shape, Values::Any);
}

/// Gives data, and these numbers of indices and updates along one axis. Returns the shape of the data, and that axis.
pub fn one_line(draw: &mut Draw, indices: usize, updates: usize) -> (Vec<usize>, usize) {
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

/// Gives updates of another shape than the indices.
pub fn wrong_updates(draw: &mut Draw) {
    let (indices, updates) = draw.way_of(&[(1, 2), (2, 1), (2, 3)]);
    let (_, axis) = one_line(draw, indices, updates);
    draw.int_attribute("axis", axis as i64);
}

/// Gives an axis that is out of range.
pub fn axis_out_of_range(draw: &mut Draw) {
    let (data, _) = one_line(draw, 1, 1);
    let axis = draw.bad_axis(data.len(), true);
    draw.int_attribute("axis", axis);
}

/// Gives an index that is out of range.
pub fn index_out_of_range(draw: &mut Draw) {
    let data = draw.full_shape(1..=4);
    draw.tensor("data", &data, Values::Any);
    let axis = draw.way(data.len());
    let shape = vec![1; data.len()];
    let index = indices::out_of_range(draw, data[axis]);
    draw.int_tensor("indices", shape.clone(), &[index]);
    draw.tensor("updates", &shape, Values::Any);
    draw.int_attribute("axis", axis as i64);
}

/// Gives indices with a larger extent than the data has, on an axis other than `axis`.
pub fn indices_too_wide(draw: &mut Draw) {
    let shape = indices::too_wide(draw);
    draw.tensor("updates", &shape, Values::Any);
}

/// Gives a reduction that the version does not have.
pub fn unknown_reduction(draw: &mut Draw) {
    let name = if draw.since() < 18 { draw.way_of(&["max", "min", "sub"]) } else { draw.way_of(&["sub", "ADD"]) };
    draw.string_attribute("reduction", name);
}

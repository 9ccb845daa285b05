//! Draws tuples of indices that select elements or slices to update. Tuples repeat only with a reduction.

use crate::families::{indices, scatter};
use crate::prelude::*;

pub fn scatter_nd(draw: &mut Draw) {
    let data = draw.full_shape(1..=4);
    let (name, values) = scatter::reduction(draw);
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
    let mut chosen = scatter::distinct_numbers(draw, count, places);
    while chosen.len() < count || name != "none" && count > 0 && draw.once_in(3) {
        let again = draw.below(places);
        if chosen.len() < count { chosen.push(again) } else { chosen[count - 1] = again }
    }
    let mut indices = Vec::new();
    for place in chosen {
        let mut rest = place;
        let mut tuple = vec![0; k];
        for d in (0..k).rev() {
            tuple[d] = scatter::from_either_end(draw, rest % data[d], data[d], true);
            rest /= data[d];
        }
        indices.extend(tuple);
    }
    draw.int_tensor("indices", [&outer[..], &[k]].concat(), &indices);
    draw.tensor("updates", &[&outer[..], &data[k..]].concat(), values);
}

pub fn rank_at_least_one(draw: &mut Draw) {
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

pub fn index_length_fits_rank(draw: &mut Draw) {
    let data = draw.full_shape(1..=3);
    draw.tensor("data", &data, Values::Any);
    let k = data.len() + 1;
    draw.int_tensor("indices", vec![2, k], &vec![0; 2 * k]);
    draw.tensor("updates", &[2], Values::Any);
}

/// Gives updates whose shape differs from that of the part of the data that they replace.
pub fn updates_shape_fits(draw: &mut Draw) {
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

pub fn indices_in_range(draw: &mut Draw) {
    let data = draw.full_shape(1..=3);
    draw.tensor("data", &data, Values::Any);
    let mut indices = vec![0; data.len()];
    let at = draw.way(indices.len());
    indices[at] = indices::out_of_range(draw, data[at]);
    draw.int_tensor("indices", vec![1, data.len()], &indices);
    draw.tensor("updates", &[1], Values::Any);
}

pub fn reduction_known(draw: &mut Draw) {
    let data = draw.full_shape(1..=3);
    draw.tensor("data", &data, Values::Any);
    draw.int_tensor("indices", vec![1, data.len()], &vec![0; data.len()]);
    draw.tensor("updates", &[1], Values::Any);
    scatter::unknown_reduction(draw);
}

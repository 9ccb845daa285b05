//! Recipes for operators that change the shape and keep the order of the elements: Reshape, Flatten, Squeeze and
//! Unsqueeze.

use crate::draw::Draw;
use crate::values::Values;

/// Returns the prime factors of the product of these extents. No extent may be 0.
fn factors(shape: &[usize]) -> Vec<usize> {
    let mut found = Vec::new();
    for &extent in shape {
        let mut rest = extent;
        for prime in [2, 3, 5, 7] {
            while rest % prime == 0 {
                found.push(prime);
                rest /= prime;
            }
        }
        if rest > 1 {
            found.push(rest);
        }
    }
    found
}

/// Draws a shape of rank `least` to 5 with as many elements as this shape.
fn regrouped(draw: &mut Draw, shape: &[usize], least: usize) -> Vec<i64> {
    if shape.contains(&0) {
        let rank = draw.range(least.max(1) as i64..=5) as usize;
        let mut wanted: Vec<i64> = (0..rank).map(|_| draw.range(1..=4)).collect();
        let at = draw.below(rank);
        wanted[at] = 0;
        return wanted;
    }
    let factors = factors(shape);
    let least = if factors.is_empty() { least } else { least.max(1) };
    let rank = draw.range(least as i64..=5) as usize;
    let mut wanted = vec![1; rank];
    for factor in factors {
        let at = draw.below(rank);
        wanted[at] *= factor as i64;
    }
    wanted
}

/// Draws the shape to ask for, instead of `from`. `allowzero` says what a 0 in it means.
fn target(draw: &mut Draw, from: &[usize], allowzero: bool) -> Vec<i64> {
    let empty = from.contains(&0);
    let (mut wanted, mut copied) = (Vec::new(), None);
    if !allowzero && (empty || !from.is_empty() && draw.flag()) {
        // The extent of one axis is copied, so the axis stays at its place.
        let axis = if empty { from.iter().position(|&e| e == 0).unwrap_or(0) } else { draw.below(from.len()) };
        let mut others: Vec<usize> = from.to_vec();
        others.remove(axis);
        others.iter_mut().for_each(|e| *e = (*e).max(1));
        wanted.extend(regrouped(draw, &others, axis));
        wanted.insert(axis, 0);
        copied = Some(axis);
        draw.feature("copied extent");
    } else {
        wanted.extend(regrouped(draw, from, 0));
    }
    if empty && allowzero {
        draw.feature("allowzero with 0");
    }
    if wanted.is_empty() {
        draw.feature("scalar result");
    }
    let free: Vec<usize> = (0..wanted.len()).filter(|&d| Some(d) != copied).collect();
    if !empty && !free.is_empty() && draw.flag() {
        let at = draw.choose(&free);
        wanted[at] = -1;
        draw.feature("inferred extent");
    } else if empty && !allowzero && draw.flag() {
        // The -1 alone makes the number of elements 0.
        wanted.iter_mut().for_each(|e| *e = if *e == 0 { -1 } else { *e });
        draw.feature("inferred empty extent");
    }
    wanted
}

fn give_shape(draw: &mut Draw, wanted: &[i64]) {
    if draw.has_attribute("shape") {
        draw.ints_attribute("shape", wanted);
    } else {
        draw.ints("shape", wanted);
    }
}

pub fn reshape(draw: &mut Draw) {
    let from = draw.shape(0..=6);
    let given = draw.give_attribute("allowzero");
    let allowzero = given && draw.flag();
    let wanted = target(draw, &from, allowzero);
    draw.tensor("data", &from, Values::Any);
    give_shape(draw, &wanted);
    if given {
        draw.int_attribute("allowzero", i64::from(allowzero));
    }
    draw.legacy();
}

/// Asks for two inferred extents.
pub fn reshape_one_inferred_extent(draw: &mut Draw) {
    let from = draw.full_shape(1..=4);
    let mut wanted = regrouped(draw, &from, 2);
    wanted.resize(wanted.len().max(2), 1);
    let at = draw.way(wanted.len());
    let other = (at + 1) % wanted.len();
    (wanted[at], wanted[other]) = (-1, -1);
    draw.tensor("data", &from, Values::Any);
    give_shape(draw, &wanted);
}

/// Asks for a negative extent other than -1.
pub fn reshape_extents_non_negative(draw: &mut Draw) {
    let from = draw.full_shape(1..=4);
    let mut wanted = regrouped(draw, &from, 1);
    let at = draw.way(wanted.len());
    // Mostly next to -1, which is valid. Now and then an extent that would fit without its sign.
    wanted[at] = if wanted[at] > 1 && draw.once_in(4) { -wanted[at] } else { draw.under(-1) };
    draw.tensor("data", &from, Values::Any);
    give_shape(draw, &wanted);
}

/// Asks for a 0 at a place where there is no extent to copy.
pub fn reshape_copied_extent_exists(draw: &mut Draw) {
    let from = draw.full_shape(0..=3);
    let mut wanted: Vec<i64> = from.iter().map(|&e| e as i64).collect();
    wanted.push(0);
    draw.tensor("data", &from, Values::Any);
    give_shape(draw, &wanted);
}

/// Asks for another number of elements.
pub fn reshape_element_counts_equal(draw: &mut Draw) {
    let from = draw.full_shape(0..=4);
    let mut wanted = regrouped(draw, &from, 1);
    wanted.resize(wanted.len().max(1), 1);
    let at = draw.way(wanted.len());
    wanted[at] = draw.other_extent(wanted[at] as usize) as i64;
    if draw.once_in(8) {
        wanted[at] = i64::MAX;
    } else if wanted.len() > 1 && draw.way(2) == 1 {
        // The data has no factor 11, so that no inferred extent makes up for it.
        let other = (at + 1) % wanted.len();
        wanted[at] = 11;
        wanted[other] = -1;
    }
    draw.tensor("data", &from, Values::Any);
    give_shape(draw, &wanted);
}

/// Asks for 0 and -1 together, with `allowzero`, so that 0 means 0.
pub fn reshape_allowzero_without_inference(draw: &mut Draw) {
    let mut from = draw.full_shape(1..=4);
    let at = draw.way(from.len());
    from[at] = 0;
    let mut wanted: Vec<i64> = from.iter().map(|&e| e as i64).collect();
    wanted.push(-1);
    draw.tensor("data", &from, Values::Any);
    give_shape(draw, &wanted);
    draw.int_attribute("allowzero", 1);
}

/// Gives no shape.
pub fn reshape_shape_given(draw: &mut Draw) {
    let from = draw.full_shape(1..=3);
    draw.tensor("data", &from, Values::Any);
}

pub fn flatten(draw: &mut Draw) {
    let shape = draw.shape(0..=6);
    let rank = shape.len() as i64;
    draw.tensor("input", &shape, Values::Any);
    // The default axis needs a rank of at least 1.
    if draw.give_attribute("axis") || rank == 0 {
        let least = if draw.since() < 11 { 0 } else { -rank };
        let axis = draw.range(least..=rank);
        draw.int_attribute("axis", axis);
        match axis {
            0 => draw.feature("flattened from the first axis"),
            axis if axis == rank => draw.feature("flattened up to the last axis"),
            axis if axis < 0 => draw.feature("negative axis"),
            _ => {}
        }
    }
}

pub fn flatten_axis_in_range(draw: &mut Draw) {
    let shape = draw.full_shape(0..=4);
    let rank = shape.len() as i64;
    draw.tensor("input", &shape, Values::Any);
    let low = if draw.since() < 11 { -1 } else { -rank - 1 };
    let axis = draw.beyond(low + 1, rank);
    draw.int_attribute("axis", axis);
}

/// Returns these axes in any order. From version 11 on, some are counted from the back.
fn written(draw: &mut Draw, axes: &[usize], rank: usize) -> Vec<i64> {
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

fn give_axes(draw: &mut Draw, axes: &[i64]) {
    if draw.has_attribute("axes") {
        draw.ints_attribute("axes", axes);
    } else {
        draw.ints("axes", axes);
    }
}

/// Draws a shape with `least` to 3 additional extents of 1.
fn with_ones(draw: &mut Draw, least: usize) -> Vec<usize> {
    let mut shape = draw.shape(0..=4);
    for _ in 0..draw.range(least as i64..=3) {
        let at = draw.below(shape.len() + 1);
        shape.insert(at, 1);
    }
    shape
}

pub fn squeeze(draw: &mut Draw) {
    let given = if draw.has_attribute("axes") { draw.give_attribute("axes") } else { draw.give_input("axes") };
    let shape = with_ones(draw, usize::from(given));
    draw.tensor("data", &shape, Values::Any);
    if !given {
        return;
    }
    let mut ones: Vec<usize> = (0..shape.len()).filter(|&d| shape[d] == 1).collect();
    while ones.len() > 1 && draw.flag() {
        let at = draw.below(ones.len());
        ones.remove(at);
        draw.feature("an extent of 1 stays");
    }
    let axes = written(draw, &ones, shape.len());
    give_axes(draw, &axes);
}

pub fn squeeze_axes_in_range(draw: &mut Draw) {
    let shape = with_ones(draw, 1);
    draw.tensor("data", &shape, Values::Any);
    let axis = draw.bad_axis(shape.len(), draw.since() >= 11);
    give_axes(draw, &[axis]);
}

pub fn squeeze_selected_extents_are_one(draw: &mut Draw) {
    let mut shape = with_ones(draw, 1);
    let at = draw.way(shape.len());
    shape[at] = draw.way_of(&[2, 3, 0]);
    draw.tensor("data", &shape, Values::Any);
    give_axes(draw, &[at as i64]);
}

pub fn unsqueeze(draw: &mut Draw) {
    let shape = draw.shape(0..=5);
    draw.tensor("data", &shape, Values::Any);
    let least = if draw.has_attribute("axes") { 1 } else { 0 };
    let count = draw.range(least..=3) as usize;
    let rank = shape.len() + count;
    let mut free: Vec<usize> = (0..rank).collect();
    let mut axes = Vec::new();
    for _ in 0..count {
        let at = draw.below(free.len());
        axes.push(free.remove(at));
    }
    if count == 0 {
        draw.feature("no axes");
    }
    let axes = written(draw, &axes, rank);
    give_axes(draw, &axes);
}

pub fn unsqueeze_axes_in_range(draw: &mut Draw) {
    let shape = draw.full_shape(0..=4);
    draw.tensor("data", &shape, Values::Any);
    let axis = draw.bad_axis(shape.len() + 1, draw.since() >= 11);
    give_axes(draw, &[axis]);
}

pub fn unsqueeze_axes_unique(draw: &mut Draw) {
    let shape = draw.full_shape(0..=4);
    draw.tensor("data", &shape, Values::Any);
    let rank = shape.len() as i64 + 2;
    let axis = draw.range(0..=rank - 1);
    let again = if draw.since() >= 11 && draw.way(2) == 1 { axis - rank } else { axis };
    give_axes(draw, &[axis, again]);
}

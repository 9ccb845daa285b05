//! Draws shapes that regroup the factors of the extents. Some have an extent that is inferred, copied, or 0.

use crate::prelude::*;

/// Returns factors of these extents: the primes up to 7, and what is left of each extent after dividing by them. No
/// extent may be 0.
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

/// Draws a shape with as many elements as this shape. Its rank is from `least` to 5, or `least` if that is above 5.
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

/// Draws the target shape for data of the shape `from`. `allowzero` says what a 0 in the target shape means.
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
        // No other extent is 0, so the extent that -1 stands for has to be 0.
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
pub fn one_inferred_extent(draw: &mut Draw) {
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
pub fn extents_non_negative(draw: &mut Draw) {
    let from = draw.full_shape(1..=4);
    let mut wanted = regrouped(draw, &from, 1);
    let at = draw.way(wanted.len());
    // Mostly the extent is -2, because -1 would be valid. Now and then it would fit without its sign.
    wanted[at] = if wanted[at] > 1 && draw.once_in(4) { -wanted[at] } else { draw.under(-1) };
    draw.tensor("data", &from, Values::Any);
    give_shape(draw, &wanted);
}

/// Asks for a 0 at a place where there is no extent to copy.
pub fn copied_extent_exists(draw: &mut Draw) {
    let from = draw.full_shape(0..=3);
    let mut wanted: Vec<i64> = from.iter().map(|&e| e as i64).collect();
    wanted.push(0);
    draw.tensor("data", &from, Values::Any);
    give_shape(draw, &wanted);
}

/// Asks for a shape with more or fewer elements than the data.
pub fn element_counts_equal(draw: &mut Draw) {
    let from = draw.full_shape(0..=4);
    let mut wanted = regrouped(draw, &from, 1);
    wanted.resize(wanted.len().max(1), 1);
    let at = draw.way(wanted.len());
    wanted[at] = draw.other_extent(wanted[at] as usize) as i64;
    if draw.once_in(8) {
        wanted[at] = i64::MAX;
    } else if wanted.len() > 1 && draw.way(2) == 1 {
        // No extent of the data has the factor 11, so no inferred extent makes the numbers of elements equal.
        let other = (at + 1) % wanted.len();
        wanted[at] = 11;
        wanted[other] = -1;
    }
    draw.tensor("data", &from, Values::Any);
    give_shape(draw, &wanted);
}

/// Asks for 0 and -1 together, with `allowzero`, so that 0 means 0.
pub fn allowzero_without_inference(draw: &mut Draw) {
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
pub fn shape_given(draw: &mut Draw) {
    let from = draw.full_shape(1..=3);
    draw.tensor("data", &from, Values::Any);
}

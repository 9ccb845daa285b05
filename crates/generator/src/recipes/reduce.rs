//! Recipes for the ten reductions.

use plumbline_tensor::DType;

use crate::draw::Draw;
use crate::values::Values;

/// Draws the axes to reduce for this rank. From version 11 on some are negative. The list may be empty.
fn axes(draw: &mut Draw, rank: usize) -> Vec<i64> {
    if rank == 0 || draw.once_in(6) {
        draw.feature("empty axes");
        return vec![];
    }
    let count = draw.range(1..=rank as i64) as usize;
    let mut left: Vec<usize> = (0..rank).collect();
    let negative = draw.since() >= 11;
    let mut axes = Vec::new();
    for _ in 0..count {
        let at = draw.below(left.len());
        let axis = left.remove(at) as i64;
        axes.push(if negative && draw.flag() { axis - rank as i64 } else { axis });
    }
    if axes.iter().any(|&a| a < 0) {
        draw.feature("negative axis");
    }
    if axes.windows(2).any(|pair| pair[0].rem_euclid(rank as i64) > pair[1].rem_euclid(rank as i64)) {
        draw.feature("axes in descending order");
    }
    if axes.len() > 1 {
        draw.feature("several axes");
    }
    axes
}

/// Gives the axes as the version takes them, and the other attributes.
fn settings(draw: &mut Draw, rank: usize) {
    let attribute = draw.has_attribute("axes");
    let mut none = true;
    if if attribute { draw.give_attribute("axes") } else { draw.give_input("axes") } {
        let axes = axes(draw, rank);
        none = axes.is_empty();
        if attribute { draw.ints_attribute("axes", &axes) } else { draw.ints("axes", &axes) }
    }
    if draw.give_attribute("keepdims") {
        let keepdims = draw.range(0..=1);
        draw.int_attribute("keepdims", keepdims);
        if keepdims == 0 {
            draw.feature("keepdims 0");
        }
    }
    if draw.give_attribute("noop_with_empty_axes") {
        let noop = draw.range(0..=1);
        draw.int_attribute("noop_with_empty_axes", noop);
        if noop == 1 && none {
            draw.feature("nothing reduced");
        }
    }
}

fn reduction(draw: &mut Draw, values: &[Values]) {
    let shape = draw.shape(0..=6);
    let values = if draw.dtype("T").is_float() { draw.choose(values) } else { draw.choose(INTEGERS) };
    draw.tensor("data", &shape, values);
    settings(draw, shape.len());
}

/// Integers with sums that mostly stay in range; the products of some do too.
const INTEGERS: &[Values] = &[Values::Between(-3.0, 5.0), Values::Between(-1000.0, 2000.0), Values::Any];

/// Values with meaningful sums. Large numbers, and tiny ones, are drawn by themselves, and few draws have infinities
/// and NaN.
const SUMS: &[Values] =
    &[Values::Moderate, Values::Integers, Values::Between(-1e-3, 2e-3), Values::Finite, Values::Any];

pub fn reduce_sum(draw: &mut Draw) {
    reduction(draw, SUMS);
}

pub fn reduce_l1(draw: &mut Draw) {
    reduction(draw, SUMS);
}

pub fn reduce_l2(draw: &mut Draw) {
    let ordinary = [Values::Moderate, Values::Integers, Values::Between(0.0, 3.0)];
    let overflowing = [Values::Between(-1e30, 1e30), Values::Between(-1e-25, 1e-25), Values::Any];
    let values = [&ordinary[..], &overflowing[..]].concat();
    reduction(draw, &values);
}

pub fn reduce_sum_square(draw: &mut Draw) {
    reduction(draw, SUMS);
}

pub fn reduce_mean(draw: &mut Draw) {
    reduction(draw, &[SUMS, &[Values::Between(1e38, 3e38)]].concat());
}

/// Draws factors that shrink as much as they grow, so that products of a few dozen stay in range.
pub fn reduce_prod(draw: &mut Draw) {
    let factors = Values::Between(-2.0, 2.0);
    reduction(draw, &[factors, Values::Integers, Values::Between(0.7, 1.4), Values::Moderate, Values::Any]);
}

/// Draws mostly positive elements, because the logarithm of the sum has to exist.
pub fn reduce_log_sum(draw: &mut Draw) {
    reduction(draw, &[Values::Between(0.0, 10.0), Values::Between(0.0, 1e-3), Values::Between(-1.0, 8.0), Values::Any]);
}

/// Draws exponents whose powers are within the range of the type, and beyond it in both directions.
pub fn reduce_log_sum_exp(draw: &mut Draw) {
    let wide = if draw.dtype("T") == DType::Float16 { 20.0 } else { 200.0 };
    let ways = [
        Values::Between(-8.0, 8.0),
        Values::Integers,
        Values::Between(-wide, wide),
        Values::Between(-wide, -0.9 * wide),
    ];
    reduction(draw, &[&ways[..], &[Values::Any]].concat());
}

const EXTREMES: &[Values] = &[Values::Finite, Values::Integers, Values::Any];

pub fn reduce_max(draw: &mut Draw) {
    reduction(draw, EXTREMES);
}

pub fn reduce_min(draw: &mut Draw) {
    reduction(draw, EXTREMES);
}

/// Gives one axis just out of range, alone or with others.
fn outside(draw: &mut Draw) {
    let shape = draw.full_shape(1..=4);
    draw.tensor("data", &shape, Values::Moderate);
    // Versions before 11 do not say what a negative axis means.
    let bad = if draw.since() < 11 { draw.above(shape.len() as i64 - 1) } else { draw.bad_axis(shape.len(), true) };
    let axes = draw.way_of(&[vec![bad], vec![0, bad], vec![bad, 0]]);
    if draw.has_attribute("axes") { draw.ints_attribute("axes", &axes) } else { draw.ints("axes", &axes) }
}

pub fn reduce_sum_axes_in_range(draw: &mut Draw) {
    outside(draw);
}

pub fn reduce_l1_axes_in_range(draw: &mut Draw) {
    outside(draw);
}

pub fn reduce_l2_axes_in_range(draw: &mut Draw) {
    outside(draw);
}

pub fn reduce_sum_square_axes_in_range(draw: &mut Draw) {
    outside(draw);
}

pub fn reduce_mean_axes_in_range(draw: &mut Draw) {
    outside(draw);
}

pub fn reduce_prod_axes_in_range(draw: &mut Draw) {
    outside(draw);
}

pub fn reduce_log_sum_axes_in_range(draw: &mut Draw) {
    outside(draw);
}

pub fn reduce_log_sum_exp_axes_in_range(draw: &mut Draw) {
    outside(draw);
}

pub fn reduce_max_axes_in_range(draw: &mut Draw) {
    outside(draw);
}

pub fn reduce_min_axes_in_range(draw: &mut Draw) {
    outside(draw);
}

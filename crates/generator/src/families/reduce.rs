//! The axes and values of the ten reductions.

use crate::prelude::*;

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

/// Gives the axes as the version takes them, and the other attributes, or leaves some of these out.
fn axes_and_flags(draw: &mut Draw, shape: &[usize]) {
    let rank = shape.len();
    let attribute = draw.has_attribute("axes");
    // Without axes, all are reduced, unless an attribute says otherwise.
    let mut reduced: Vec<usize> = (0..rank).collect();
    let mut none = true;
    if if attribute { draw.give_attribute("axes") } else { draw.give_input("axes") } {
        let axes = axes(draw, rank);
        none = axes.is_empty();
        if !none {
            reduced = axes.iter().map(|axis| axis.rem_euclid(rank as i64) as usize).collect();
        }
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
            reduced.clear();
        }
    }
    let mut empty = (0..rank).filter(|&axis| shape[axis] == 0).peekable();
    if empty.peek().is_some() && empty.all(|axis| reduced.contains(&axis)) {
        draw.feature("an empty set");
    }
}

/// Gives the tensor, with these values if its type is floating-point, and the axes.
pub fn reduction(draw: &mut Draw, values: &[Values]) {
    // A scalar has no long axis.
    let least = usize::from(draw.is_large());
    let shape = draw.shape(least..=6);
    let is_float = draw.dtype("T").is_float();
    let values = if draw.is_large() && is_float {
        draw.summable(DType::Float)
    } else if is_float {
        draw.choose(values)
    } else {
        draw.choose(INTEGERS)
    };
    draw.tensor("data", &shape, values);
    axes_and_flags(draw, &shape);
}

/// Small integers, whose products mostly stay in range; larger ones, whose sums mostly do; and any integers.
const INTEGERS: &[Values] = &[Values::Between(-3.0, 5.0), Values::Between(-1000.0, 2000.0), Values::Any];

/// Values whose sums are mostly meaningful. One of the five choices has only tiny numbers, and only one has infinities
/// and NaN.
pub const SUMS: &[Values] =
    &[Values::Moderate, Values::Integers, Values::Between(-1e-3, 2e-3), Values::Finite, Values::Any];

/// Values for reductions that select an element.
pub const EXTREMES: &[Values] = &[Values::Finite, Values::Integers, Values::Any];

/// Gives an axis out of range, mostly by one. It is given alone, or before or after axis 0.
pub fn axis_out_of_range(draw: &mut Draw) {
    let shape = draw.full_shape(1..=4);
    draw.tensor("data", &shape, Values::Moderate);
    // Versions before 11 do not say what a negative axis means.
    let bad = if draw.since() < 11 { draw.above(shape.len() as i64 - 1) } else { draw.bad_axis(shape.len(), true) };
    let axes = draw.way_of(&[vec![bad], vec![0, bad], vec![bad, 0]]);
    if draw.has_attribute("axes") { draw.ints_attribute("axes", &axes) } else { draw.ints("axes", &axes) }
}

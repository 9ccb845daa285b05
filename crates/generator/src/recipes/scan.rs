//! Recipes for CumSum and CumProd.

use crate::draw::Draw;
use crate::values::Values;

fn scan(draw: &mut Draw, values: &[Values]) {
    let mut shape = draw.full_shape(1..=5);
    if draw.once_in(14) {
        let at = draw.below(shape.len());
        shape[at] = 0;
        draw.feature("empty extent");
    }
    let values = if draw.dtype("T").is_float() { draw.choose(values) } else { draw.choose(INTEGERS) };
    draw.tensor("x", &shape, values);
    let axis = draw.axis(shape.len(), true);
    draw.int_scalar("axis", axis);
    for (attribute, values) in [("exclusive", [1, 1, 0]), ("reverse", [1, 0, 1])] {
        if let Some(value) = draw.turn_attribute(attribute, &values) {
            draw.int_attribute(attribute, value);
            match (attribute, value) {
                ("exclusive", 1) => draw.feature("exclusive"),
                ("reverse", 1) => draw.feature("reverse"),
                _ => {}
            }
        }
    }
}

/// The longest row. Each element is computed from all elements before it.
const LONGEST: usize = 4097;

const INTEGERS: &[Values] = &[Values::Between(-3.0, 5.0), Values::Between(-1000.0, 2000.0), Values::Any];

pub fn cum_sum(draw: &mut Draw) {
    draw.at_most(LONGEST);
    scan(draw, &[Values::Moderate, Values::Integers, Values::Between(-1e-3, 2e-3), Values::Finite, Values::Any]);
}

pub fn cum_prod(draw: &mut Draw) {
    draw.at_most(LONGEST);
    scan(
        draw,
        &[Values::Between(-2.0, 2.0), Values::Integers, Values::Between(0.7, 1.4), Values::Moderate, Values::Any],
    );
}

fn axis_outside(draw: &mut Draw) {
    let shape = draw.full_shape(1..=4);
    draw.tensor("x", &shape, Values::Moderate);
    let axis = draw.bad_axis(shape.len(), true);
    draw.int_scalar("axis", axis);
}

pub fn cum_sum_axis_in_range(draw: &mut Draw) {
    axis_outside(draw);
}

pub fn cum_prod_axis_in_range(draw: &mut Draw) {
    axis_outside(draw);
}

fn two_axes(draw: &mut Draw) {
    let shape = draw.full_shape(2..=4);
    draw.tensor("x", &shape, Values::Moderate);
    draw.ints("axis", &[0, 1]);
}

pub fn cum_sum_axis_is_scalar(draw: &mut Draw) {
    two_axes(draw);
}

pub fn cum_prod_axis_is_scalar(draw: &mut Draw) {
    two_axes(draw);
}

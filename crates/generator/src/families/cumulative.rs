//! Rows for CumSum and CumProd.

use crate::prelude::*;

/// Gives the tensor, the axis, and in some cases `exclusive` and `reverse`.
pub fn along_axis(draw: &mut Draw, values: &[Values]) {
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
pub const LONGEST: usize = 4097;

/// Integers with sums that mostly stay in range; the products of some do too.
const INTEGERS: &[Values] = &[Values::Between(-3.0, 5.0), Values::Between(-1000.0, 2000.0), Values::Any];

/// Gives an axis that is out of range.
pub fn axis_out_of_range(draw: &mut Draw) {
    let shape = draw.full_shape(1..=4);
    draw.tensor("x", &shape, Values::Moderate);
    let axis = draw.bad_axis(shape.len(), true);
    draw.int_scalar("axis", axis);
}

/// Gives two axes, where one is allowed.
pub fn two_axes(draw: &mut Draw) {
    let shape = draw.full_shape(2..=4);
    draw.tensor("x", &shape, Values::Moderate);
    draw.ints("axis", &[0, 1]);
}

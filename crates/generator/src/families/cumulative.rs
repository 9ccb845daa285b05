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

/// The largest extent that a case may have. Each element is computed from all elements before it, so the work grows
/// with the square of the extent.
pub const LONGEST: usize = 4097;

/// Small integers, whose products mostly stay in range; larger ones, whose sums mostly do; and any integers.
const INTEGERS: &[Values] = &[Values::Between(-3.0, 5.0), Values::Between(-1000.0, 2000.0), Values::Any];

/// Gives an axis that is out of range.
pub fn axis_out_of_range(draw: &mut Draw) {
    let shape = draw.full_shape(1..=4);
    draw.tensor("x", &shape, Values::Moderate);
    let axis = draw.bad_axis(shape.len(), true);
    draw.int_scalar("axis", axis);
}

/// Gives two axes, where only one is allowed.
pub fn two_axes(draw: &mut Draw) {
    let shape = draw.full_shape(2..=4);
    draw.tensor("x", &shape, Values::Moderate);
    draw.ints("axis", &[0, 1]);
}

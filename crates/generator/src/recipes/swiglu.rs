//! Draws gates of small and large magnitude, with coefficients of either sign and 0.

use crate::prelude::*;

pub fn swiglu(draw: &mut Draw) {
    let shape = draw.shape(0..=6);
    let values =
        draw.choose(&[Values::Between(-8.0, 8.0), Values::Moderate, Values::Between(-100.0, 100.0), Values::Any]);
    draw.tensor("A", &shape, values);
    draw.tensor("B", &shape, values);
    if draw.give_attribute("alpha") {
        let alpha = draw.choose(&[1.0, 1.702, 0.5, -1.0, 0.0]);
        draw.float_attribute("alpha", alpha);
    }
}

/// Gives two shapes that differ. SwiGLU does not broadcast.
pub fn shapes_equal(draw: &mut Draw) {
    let (a, b) =
        draw.way_of(&[(vec![2, 3], vec![3]), (vec![2, 3], vec![1, 3]), (vec![], vec![2]), (vec![6], vec![2, 3])]);
    draw.tensor("A", &a, Values::Integers);
    draw.tensor("B", &b, Values::Integers);
}

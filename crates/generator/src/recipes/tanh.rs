//! Draws numbers mostly between -4 and 4, where the function is not constant, or any numbers of the type. The input has
//! rank 1 in Tanh-1, because that version's specification says so.

use crate::prelude::*;

pub fn tanh(draw: &mut Draw) {
    let values = draw.choose(&[Values::Mostly(-4.0, 4.0), Values::Any]);
    let ranks = if draw.since() == 1 { 1..=1 } else { 0..=8 };
    let shape = draw.shape(ranks);
    draw.tensor("input", &shape, values);
    draw.legacy();
}

//! Draws numbers around zero, where the function bends, with the exact formula or the approximation by tanh.

use crate::families::{activation, unary};
use crate::prelude::*;

pub fn gelu(draw: &mut Draw) {
    activation::input_around_zero(draw, "X");
    if draw.give_attribute("approximate") {
        let approximate = draw.choose(&["tanh", "none"]);
        draw.string_attribute("approximate", approximate);
        draw.feature(if approximate == "tanh" { "approximate by tanh" } else { "approximate by none" });
    }
}

pub fn approximate_known(draw: &mut Draw) {
    unary::elementwise(draw, "X", Values::Moderate);
    let approximate = draw.way_of(&["sigmoid", "", "Tanh"]);
    draw.string_attribute("approximate", approximate);
}

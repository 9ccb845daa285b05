//! Draws any values, with each sign of infinity detected or not.

use crate::families::unary;
use crate::prelude::*;

pub fn is_inf(draw: &mut Draw) {
    unary::elementwise(draw, "X", Values::Any);
    for name in ["detect_negative", "detect_positive"] {
        if draw.give_attribute(name) {
            let detect = draw.range(0..=1);
            draw.int_attribute(name, detect);
            draw.feature(if detect == 0 { "an infinity not detected" } else { "an infinity detected" });
        }
    }
}

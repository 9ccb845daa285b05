//! Draws two tensors that broadcast, with `fmod` of either value where the version and the type allow it.

use crate::families::binary;
use crate::prelude::*;

/// Gives `fmod` in some cases. Before version 28 it is always given for floating-point types, as 1.
fn fmod(draw: &mut Draw) {
    let needed = draw.since() < 28 && draw.input_dtype("A").is_float();
    if needed {
        draw.int_attribute("fmod", 1);
    } else if draw.give_attribute("fmod") {
        let fmod = draw.range(0..=1);
        draw.int_attribute("fmod", fmod);
    }
}

pub fn mod_(draw: &mut Draw) {
    let [a, b] = binary::shapes(draw);
    fmod(draw);
    let float = draw.input_dtype("A").is_float();
    let values = if float && draw.once_in(3) { Values::Integers } else { binary::values(draw, "A") };
    let dividend = draw.tensor("A", &a, values);
    binary::divisor(draw, "B", &b, values, &dividend);
}

pub fn shapes_broadcast(draw: &mut Draw) {
    fmod(draw);
    binary::unbroadcastable(draw, "A", "B");
}

pub fn fmod_set_for_floats(draw: &mut Draw) {
    if !draw.input_dtype("A").is_float() {
        return draw.decline();
    }
    if draw.way(2) == 1 {
        draw.int_attribute("fmod", 0);
    }
    draw.tensor("A", &[3], Values::Moderate);
    draw.tensor("B", &[3], Values::Between(1.0, 4.0));
}

pub fn fmod_known(draw: &mut Draw) {
    let fmod = draw.way_of(&[2, -1]);
    draw.int_attribute("fmod", fmod);
    draw.tensor("A", &[3], Values::Moderate);
    draw.tensor("B", &[3], Values::Between(1.0, 4.0));
}

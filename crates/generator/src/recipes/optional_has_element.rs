//! Draws an optional that is empty or not; from version 18 on also a value that is no optional, or no input.

use plumbline_spec::TypeStr;

use crate::prelude::*;

pub fn optional_has_element(draw: &mut Draw) {
    if !draw.give_input("input") {
        draw.feature("no input");
        return;
    }
    let outside = draw.type_of("O");
    let value = draw.value_of(&outside, Values::Any);
    if !matches!(outside, TypeStr::Optional(_)) {
        draw.feature("always an element");
    }
    draw.input("input", value);
}

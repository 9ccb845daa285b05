//! Draws a value of any type: a tensor, a sequence, or an optional.

use crate::prelude::*;

pub fn identity(draw: &mut Draw) {
    let variable = draw.version().inputs[0].type_.clone();
    let type_ = draw.type_of(&variable);
    let value = draw.value_of(&type_, Values::Any);
    draw.input("input", value);
}

//! Draws the type of the sequence. If it is float, some cases leave out the attribute.

use crate::prelude::*;

pub fn sequence_empty(draw: &mut Draw) {
    let dtype = draw.dtype("S");
    // Without the attribute the type is float.
    if draw.give() || dtype != DType::Float {
        draw.int_attribute("dtype", i64::from(dtype.code()));
    }
}

pub fn dtype_allowed(draw: &mut Draw) {
    draw.dtype("S");
    let code = draw.foreign_code_or_zero(&[DType::Bfloat16]);
    draw.int_attribute("dtype", code);
}

//! Draws any elements, or elements that a conversion has to round or parse: fractions, numbers halfway between
//! neighbours of the target type, and strings that spell numbers.

use crate::families::cast;
use crate::prelude::*;

/// Gives `to`: as a name in Cast-1, as a number in later versions.
fn to_attribute(draw: &mut Draw, to: DType) {
    if draw.since() == 1 {
        draw.string_attribute("to", &to.name().to_uppercase());
    } else {
        draw.int_attribute("to", i64::from(to.code()));
    }
}

pub fn cast(draw: &mut Draw) {
    let to = draw.dtype("T2");
    to_attribute(draw, to);
    cast::conversion(draw, to);
}

/// Gives a type that this version does not convert to, or a name or number that stands for no type.
pub fn to_type_allowed(draw: &mut Draw) {
    if draw.since() == 1 {
        let name = draw.way_of(&["COMPLEX64", "STRING", "FLOAT128", "INT", ""]);
        draw.string_attribute("to", name);
    } else {
        let string = if draw.since() < 9 { DType::String } else { DType::Complex128 };
        let code = draw.foreign_code_or_zero(&[DType::Complex64, string]);
        draw.int_attribute("to", code);
        draw.declare(code);
    }
    let shape = draw.full_shape(1..=3);
    draw.tensor("input", &shape, Values::Moderate);
}

pub fn round_mode_known(draw: &mut Draw) {
    to_attribute(draw, DType::Float8e8m0);
    cast::unknown_round_mode(draw);
}

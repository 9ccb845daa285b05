//! Sizes and output types for HannWindow, HammingWindow and BlackmanWindow, and output types for MelWeightMatrix.

use crate::prelude::*;

/// Gives `output_datatype` with the element type of the output, whose type variable is `variable`. If that type is
/// float, the default, the attribute may be left out.
pub fn datatype(draw: &mut Draw, variable: &str) {
    let float = draw.bind(variable, DType::Float);
    if !float || draw.give_attribute("output_datatype") {
        let dtype = draw.output_dtype("output");
        draw.int_attribute("output_datatype", i64::from(dtype.code()));
    }
}

/// Gives an `output_datatype` that the output does not allow, or a number that stands for no type.
pub fn foreign_datatype(draw: &mut Draw) {
    let code = draw.foreign_code_or_zero(&[DType::String, DType::Bool, DType::Complex64]);
    draw.int_attribute("output_datatype", code);
    draw.declare(code);
}

/// Gives `size` and `output_datatype` of a window, and whether it is periodic or symmetric.
pub fn window(draw: &mut Draw) {
    datatype(draw, "T2");
    let size = match draw.below(8) {
        0 => 1,
        1 => 2,
        7 => draw.range(20..=60),
        _ => draw.range(3..=16),
    };
    let size = draw.extent(size as usize, 1) as i64;
    if draw.give_attribute("periodic") {
        let periodic = draw.flag();
        draw.feature(if periodic { "periodic" } else { "symmetric" });
        draw.int_attribute("periodic", i64::from(periodic));
    }
    draw.int_scalar("size", size);
}

/// Gives a size below 1, or a list of sizes.
pub fn wrong_size(draw: &mut Draw) {
    datatype(draw, "T2");
    if draw.way(2) == 1 {
        return draw.ints("size", &[4, 5]);
    }
    let size = draw.way_of(&[0, -1]);
    draw.int_scalar("size", size);
}

/// Gives an `output_datatype` as [`foreign_datatype`] does, and a valid size.
pub fn wrong_datatype(draw: &mut Draw) {
    foreign_datatype(draw);
    draw.int_scalar("size", 4);
}

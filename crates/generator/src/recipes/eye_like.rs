//! Draws diagonals inside of the matrix, just outside of it, and at the ends of int64.

use crate::families::constant;
use crate::prelude::*;

pub fn eye_like(draw: &mut Draw) {
    let given = draw.give_attribute("dtype");
    if !given {
        // Without `dtype` the output has the input's type.
        let (open, known) = if draw.binding.contains_key("T2") { ("T1", "T2") } else { ("T2", "T1") };
        let dtype = draw.dtype(known);
        draw.bind(open, dtype);
    }
    let shape = draw.shape(2..=2);
    draw.tensor("input", &shape, Values::Any);
    if given {
        let dtype = draw.output_dtype("output");
        draw.int_attribute("dtype", i64::from(dtype.code()));
    }
    if draw.give_attribute("k") {
        let (rows, columns) = (shape[0] as i64, shape[1] as i64);
        let k = match draw.below(8) {
            7 => {
                draw.feature("extreme diagonal");
                draw.choose(&[i64::MAX, i64::MIN])
            }
            6 => {
                draw.feature("diagonal outside");
                draw.choose(&[columns, -rows, columns + 3, -rows - 3])
            }
            _ => draw.range(1 - rows..=columns - 1),
        };
        draw.int_attribute("k", k);
    }
}

pub fn rank_two(draw: &mut Draw) {
    let shape = if draw.way(2) == 1 { draw.full_shape(3..=3) } else { draw.full_shape(1..=1) };
    draw.tensor("input", &shape, Values::Any);
    let dtype = draw.output_dtype("output");
    draw.int_attribute("dtype", i64::from(dtype.code()));
}

/// Gives a type that the output does not allow, or a number that stands for no type.
pub fn dtype_allowed(draw: &mut Draw) {
    let shape = draw.full_shape(2..=2);
    draw.tensor("input", &shape, Values::Any);
    let dtype = constant::foreign_dtype(draw, "T2");
    let code = draw.foreign_code_or_zero(&[dtype]);
    draw.int_attribute("dtype", code);
    draw.declare(code);
}

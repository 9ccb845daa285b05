//! Draws quantized elements with a scale for the tensor, for each index of an axis, or for each block.

use crate::families::quantize;
use crate::prelude::*;

pub use crate::families::quantize::{
    axis_out_of_range as axis_in_range, wrong_blocks as blocks_cover_axis, wrong_scale as scale_shape_fits,
    wrong_zero_point as zero_point_matches_scale,
};

pub fn dequantize_linear(draw: &mut Draw) {
    let (from, to) = (draw.input_dtype("x"), draw.output_dtype("y"));
    if draw.has_attribute("output_dtype") {
        // The scale mostly has the type of the output.
        if draw.below(3) > 0 {
            draw.bind("T2", to);
        }
        if draw.input_dtype("x_scale") != to || draw.give() {
            draw.int_attribute("output_dtype", i64::from(to.code()));
        }
    }
    let (shape, spread) = quantize::granularity(draw);
    let values = draw.choose(&[Values::Any, Values::Moderate, Values::Between(-100.0, 100.0)]);
    let x = match from.integer_range() {
        Some((low, _)) if low == 0 && values == Values::Between(-100.0, 100.0) => {
            draw.elements(from, &shape, Values::Moderate)
        }
        _ if from.bits().is_some_and(|bits| bits < 8) => draw.elements(from, &shape, Values::Any),
        _ => draw.elements(from, &shape, values),
    };
    draw.input("x", x);
    let of_scale = draw.input_dtype("x_scale");
    let scale = quantize::scales(draw, of_scale, &spread.scale);
    draw.input("x_scale", scale);
    if draw.give_input("x_zero_point") {
        let zero = quantize::zero_points(draw, from, &spread.scale);
        draw.input("x_zero_point", zero);
    }
}

/// Gives a type that the output does not allow, or a number that stands for no type.
pub fn output_dtype_allowed(draw: &mut Draw) {
    draw.tensor("x", &[2, 3], Values::Integers);
    let of_scale = draw.input_dtype("x_scale");
    let one = Tensor::from_f64s(of_scale, vec![], &[1.0]).expect("a tensor of one element has one value");
    draw.input("x_scale", one);
    let code = draw.foreign_code(&[DType::Int8, DType::Double, DType::String]);
    draw.int_attribute("output_dtype", code);
}

/// Gives a negative block size. The scale belongs to the whole tensor, so only the sign of the block size is wrong.
pub fn block_size_non_negative(draw: &mut Draw) {
    draw.tensor("x", &[2, 3], Values::Integers);
    let of_scale = draw.input_dtype("x_scale");
    let one = Tensor::from_f64s(of_scale, vec![], &[1.0]).expect("a tensor of one element has one value");
    draw.input("x_scale", one);
    let size = draw.way_of(&[-1, i64::MIN]);
    draw.int_attribute("block_size", size);
}

//! Draws numbers within the range of the quantized type and a little beyond it. For integer types they are mostly whole
//! and half multiples of the scale. There is a scale for the tensor, for each index of an axis, or for each block.

use plumbline_tensor::{FloatFormat, Saturation};

use crate::families::quantize;
use crate::prelude::*;

pub use crate::families::quantize::{
    axis_out_of_range as axis_in_range, wrong_blocks as blocks_cover_axis, wrong_scale as scale_shape_fits,
    wrong_zero_point as zero_point_matches_scale,
};

/// Returns the range of a quantized type.
fn range(dtype: DType) -> (f64, f64) {
    match (dtype.integer_range(), FloatFormat::for_dtype(dtype)) {
        (Some((low, high)), _) => (low as f64, high as f64),
        (_, Some(format)) => (-format.max_finite(), format.max_finite()),
        _ => (0.0, 0.0),
    }
}

/// Draws numbers to quantize, within the range of the type `to` and a little beyond it. If `to` is an integer type,
/// most are whole multiples of the scale, half multiples, or numbers next to a half multiple. If `to` is a
/// floating-point type, the multiples need not be whole or half.
fn multiples(draw: &mut Draw, from: DType, to: DType, shape: &[usize], scale: &Tensor, at: &[usize]) -> Tensor {
    let (low, high) = range(to);
    let fine = to.is_float() || draw.flag();
    // For a type with a wide range, half of the cases draw numbers near zero.
    let (low, high) = if high > 300.0 && draw.flag() { (low.max(-40.0), 40.0) } else { (low, high) };
    let reach = (high - low) / 4.0 + 2.0;
    let choices = draw.block(at.len(), 1 << 40);
    let values: Vec<f64> = choices
        .into_iter()
        .zip(at)
        .map(|(choice, &at)| {
            let (way, rest) = (choice % 8, choice / 8);
            let unit = (rest % (1 << 20)) as f64 / f64::from(1 << 20);
            let whole = (low - reach + (high - low + 2.0 * reach) * unit).floor();
            let steps = match way {
                0..=2 => whole,
                3..=5 => whole + 0.5,
                6 => whole + unit,
                _ => whole + 0.5 + 1e-6 * (unit - 0.5),
            };
            let x = steps * scale.f64_at(at);
            let x = if fine && to.is_float() { x * unit } else { x };
            if x.is_finite() { x } else { 1.0 }
        })
        .collect();
    match from.integer_range() {
        Some((low, high)) => {
            let whole: Vec<i128> = values.iter().map(|&x| (x as i128).clamp(low, high)).collect();
            Tensor::from_i128s(from, shape.to_vec(), &whole)
        }
        None => {
            let format = FloatFormat::for_dtype(from).expect("a type that is not an integer type is a float type");
            let bits = values.into_iter().map(|x| format.encode(x, Saturation::Saturate));
            Tensor::from_bits(from, shape.to_vec(), bits)
        }
    }
    .expect("there are as many values as the shape has elements")
}

/// Returns the quantized type, and whether to give the zero point. Gives `output_dtype` if nothing else says the type,
/// and in some other cases.
fn target(draw: &mut Draw) -> (DType, bool) {
    let to = draw.output_dtype("y");
    let named = draw.has_attribute("output_dtype");
    let zero = if to != DType::Uint8 && !named { true } else { draw.give_input("y_zero_point") };
    if named && (!zero && to != DType::Uint8 || draw.give()) {
        draw.int_attribute("output_dtype", i64::from(to.code()));
    }
    (to, zero)
}

fn attributes(draw: &mut Draw, to: DType) {
    let small = to.is_float();
    if draw.has_attribute("saturate") && (small && draw.give() || draw.once_in(8)) {
        let saturate = draw.range(0..=1);
        draw.int_attribute("saturate", saturate);
    }
    if draw.give_attribute("precision") {
        let precision = draw.choose(&[DType::Float, DType::Float16, DType::Bfloat16]);
        draw.int_attribute("precision", i64::from(precision.code()));
    }
}

pub fn quantize_linear(draw: &mut Draw) {
    let (to, zero) = target(draw);
    let (shape, spread) = quantize::granularity(draw);
    let (from, of_scale) = (draw.input_dtype("x"), draw.input_dtype("y_scale"));
    let scale = quantize::scales(draw, of_scale, &spread.scale);
    let x = match draw.below(5) {
        4 => {
            let values = draw.choose(&[Values::Moderate, Values::Any]);
            draw.elements(from, &shape, values)
        }
        _ => multiples(draw, from, to, &shape, &scale, &spread.at),
    };
    draw.input("x", x);
    draw.input("y_scale", scale);
    if zero {
        let zero = quantize::zero_points(draw, to, &spread.scale);
        draw.input("y_zero_point", zero);
    }
    attributes(draw, to);
}

/// Gives an `output_dtype` to which nothing can be quantized, one that differs from the type of the zero point, or a
/// number that stands for no type.
pub fn output_dtype_allowed(draw: &mut Draw) {
    let to = draw.output_dtype("y");
    quantize::plain_inputs(draw, &[2, 3], &[], &[]);
    let other = if to == DType::Int8 { DType::Uint8 } else { DType::Int8 };
    let code = draw.foreign_code(&[other, DType::Float, DType::String]);
    draw.int_attribute("output_dtype", code);
}

pub fn precision_allowed(draw: &mut Draw) {
    quantize::plain_inputs(draw, &[2, 3], &[], &[]);
    let code = draw.foreign_code(&[DType::String, DType::Complex64]);
    draw.int_attribute("precision", code);
}

/// Gives a negative block size, and one scale for the whole tensor. With such a scale, any other block size is valid.
pub fn block_size_non_negative(draw: &mut Draw) {
    quantize::plain_inputs(draw, &[2, 3], &[], &[]);
    let size = draw.way_of(&[-1, i64::MIN]);
    draw.int_attribute("block_size", size);
}

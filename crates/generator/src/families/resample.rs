//! Extents and scales for Resize and Upsample.

use crate::prelude::*;

/// The largest number of elements of an output, except in the larger cases.
const MOST_ELEMENTS: usize = 160;

/// Returns the largest number of elements of the output of this case.
pub fn most_elements(draw: &Draw) -> usize {
    if draw.is_larger() { 1 << 13 } else { MOST_ELEMENTS }
}

/// Gives a 1-D input of floats. In one case of three, the input is an initializer.
pub fn float_list(draw: &mut Draw, input: &str, values: &[f64]) {
    let dtype = draw.input_dtype(input);
    draw.input(
        input,
        Tensor::from_f64s(dtype, vec![values.len()], values)
            .expect("there are as many values as the shape has elements"),
    );
    let constant = draw.once_in(3);
    if let Some(last) = draw.inputs.last_mut() {
        last.constant = constant;
    }
}

/// Returns whether elements of this type can be averaged.
pub fn can_be_averaged(dtype: DType) -> bool {
    dtype.is_float() || dtype.is_integer()
}

/// Gives the tensor to resize. If its elements are averaged, infinities and NaN are rare.
pub fn input(draw: &mut Draw, shape: &[usize], nearest: bool) {
    let values = match draw.below(8) {
        _ if nearest => Values::Any,
        0..=2 => Values::Between(-10.0, 10.0),
        3..=5 => Values::Integers,
        6 => Values::Moderate,
        _ => Values::Any,
    };
    draw.tensor("X", shape, values);
}

/// Draws the extent that an axis of `from` elements is resized to. It is at least `least`. `others` is the product
/// of the other extents of the output.
fn extent(draw: &mut Draw, from: usize, others: usize, least: usize) -> usize {
    let most = (most_elements(draw) / others.max(1)).clamp(least, (2 * from + 2).max(least));
    draw.range(least as i64..=most as i64) as usize
}

/// Draws a scale that resizes `from` elements to `to` elements: exactly, or with a fraction that the operator drops.
pub fn scale(draw: &mut Draw, from: usize, to: usize) -> f64 {
    let exact = to as f64 / from as f64;
    if exact == f64::from(exact as f32) && !draw.once_in(4) {
        return exact;
    }
    inexact_scale(draw, from, to)
}

/// Draws a scale that resizes `from` elements to `to` elements and a fraction, which the operator drops.
pub fn inexact_scale(draw: &mut Draw, from: usize, to: usize) -> f64 {
    draw.feature("a scale that gives a fractional extent");
    let part = draw.choose(&[0.5, 0.25, 0.75]);
    (to as f64 + part) / from as f64
}

/// Draws which axes are resized: the last two, or any subset of all axes.
fn resized_axes(draw: &mut Draw, rank: usize) -> Vec<bool> {
    if draw.once_in(3) {
        draw.feature("any axis is resized");
        return (0..rank).map(|_| draw.flag()).collect();
    }
    (0..rank).map(|axis| axis + 2 >= rank).collect()
}

/// Draws the extents of the output. If `grows` is set, no extent is smaller than the extent of the input on that axis.
pub fn output_shape(draw: &mut Draw, shape: &[usize], grows: bool) -> Vec<usize> {
    let which = resized_axes(draw, shape.len());
    let mut target = shape.to_vec();
    for axis in (0..shape.len()).filter(|&a| which[a]) {
        let others = target.iter().enumerate().filter(|(a, _)| *a != axis).map(|(_, e)| e.max(&1)).product();
        target[axis] = extent(draw, shape[axis], others, if grows { shape[axis] } else { 1 });
    }
    target
}

/// Draws the shape of the input. Most runtimes resize only batches of images, so many shapes have rank 4.
pub fn input_shape(draw: &mut Draw) -> Vec<usize> {
    let mut shape = draw.full_shape(1..=4);
    while shape.len() < 4 && draw.flag() {
        shape.insert(0, 1);
    }
    while shape.iter().product::<usize>() > most_elements(draw) {
        let at = shape.iter().position(|&e| e > 2).unwrap_or(0);
        shape[at] = 2;
    }
    shape
}

/// Gives a small image with two channels as `X`, in a batch of one, and returns the shape of `X`.
pub fn small_image(draw: &mut Draw) -> Vec<usize> {
    let shape = vec![1, 2, 3, 2];
    draw.tensor("X", &shape, Values::Integers);
    shape
}

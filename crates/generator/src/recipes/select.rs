//! Recipes for ArgMax, ArgMin, TopK and Unique, which select elements by value.

use plumbline_tensor::{DType, Tensor};

use crate::draw::Draw;
use crate::values::Values;

/// Values with ties, with edge values, and with NaN.
const ORDERED: &[Values] = &[Values::Integers, Values::Finite, Values::Between(-2.0, 2.0), Values::Any];

/// Draws a shape and the axis to select along, which is never empty. The axis is `None` if the attribute is left out.
fn shape_and_axis(draw: &mut Draw, negative: bool, empty: bool) -> (Vec<usize>, Option<i64>) {
    let mut shape = draw.full_shape(1..=5);
    let given = draw.give_attribute("axis");
    let axis = if given { draw.axis(shape.len(), negative) } else { draw.default_axis() };
    let at = axis.rem_euclid(shape.len() as i64) as usize;
    if empty && shape.len() > 1 && draw.once_in(14) {
        let other = (at + 1) % shape.len();
        shape[other] = 0;
        draw.feature("empty extent");
    }
    (shape, given.then_some(axis))
}

fn arg(draw: &mut Draw) {
    // Version 11 requires an input that is not empty. Versions before 11 do not say that an axis may count from the
    // back.
    let since = draw.since();
    let (shape, axis) = shape_and_axis(draw, since >= 11, since != 11);
    if let Some(axis) = axis {
        draw.int_attribute("axis", axis);
    }
    let values = draw.choose(ORDERED);
    draw.tensor("data", &shape, values);
    if draw.give_attribute("keepdims") {
        let keepdims = draw.range(0..=1);
        draw.int_attribute("keepdims", keepdims);
        if keepdims == 0 {
            draw.feature("keepdims 0");
        }
    }
    if draw.give_attribute("select_last_index") {
        let last = draw.range(0..=1);
        draw.int_attribute("select_last_index", last);
        if last == 1 {
            draw.feature("last index");
        }
    }
}

pub fn arg_max(draw: &mut Draw) {
    arg(draw);
}

pub fn arg_min(draw: &mut Draw) {
    arg(draw);
}

/// Gives an axis that is out of range, and returns the shape of the input.
fn axis_outside(draw: &mut Draw, input: &str) -> Vec<usize> {
    let shape = draw.full_shape(1..=4);
    draw.tensor(input, &shape, Values::Moderate);
    let negative = draw.since() >= 10;
    let axis = if negative { draw.bad_axis(shape.len(), true) } else { draw.above(shape.len() as i64 - 1) };
    draw.int_attribute("axis", axis);
    shape
}

pub fn arg_max_axis_in_range(draw: &mut Draw) {
    axis_outside(draw, "data");
}

pub fn arg_min_axis_in_range(draw: &mut Draw) {
    axis_outside(draw, "data");
}

/// Gives an empty axis. The others are not empty, so the output has elements for which there is nothing to select.
fn empty_axis(draw: &mut Draw) {
    let mut shape = draw.full_shape(1..=4);
    let axis = draw.way(shape.len());
    shape[axis] = 0;
    draw.int_attribute("axis", axis as i64);
    draw.tensor("data", &shape, Values::Moderate);
}

pub fn arg_max_data_not_empty(draw: &mut Draw) {
    empty_axis(draw);
}

pub fn arg_min_data_not_empty(draw: &mut Draw) {
    empty_axis(draw);
}

/// Gives K as the version takes it: as an attribute or as an input.
fn give_k(draw: &mut Draw, k: i64) {
    if draw.has_attribute("k") { draw.int_attribute("k", k) } else { draw.ints("K", &[k]) }
}

pub fn top_k(draw: &mut Draw) {
    // A whole row is sorted for each of its elements.
    draw.at_most(2049);
    let (shape, axis) = shape_and_axis(draw, true, true);
    if let Some(axis) = axis {
        draw.int_attribute("axis", axis);
    }
    let values = draw.choose(ORDERED);
    draw.tensor("X", &shape, values);
    let axis = axis.unwrap_or(-1).rem_euclid(shape.len() as i64) as usize;
    let extent = shape[axis] as i64;
    let k = draw.range(1..=extent);
    if k == extent {
        draw.feature("all elements");
    }
    give_k(draw, k);
    for attribute in ["largest", "sorted"] {
        if draw.give_attribute(attribute) {
            let value = draw.range(0..=1);
            draw.int_attribute(attribute, value);
            match (attribute, value) {
                ("largest", 0) => draw.feature("smallest"),
                ("sorted", 0) => draw.feature("unordered"),
                _ => {}
            }
        }
    }
}

pub fn top_k_axis_in_range(draw: &mut Draw) {
    axis_outside(draw, "X");
    give_k(draw, 1);
}

pub fn top_k_k_positive(draw: &mut Draw) {
    let shape = draw.full_shape(1..=3);
    draw.tensor("X", &shape, Values::Moderate);
    match draw.way(3) {
        1 if draw.has_input("K") => draw.ints("K", &[1, 1]),
        2 => give_k(draw, 0),
        _ => {
            let k = draw.under(0);
            give_k(draw, k);
        }
    }
}

pub fn top_k_k_fits_axis(draw: &mut Draw) {
    let shape = draw.full_shape(1..=4);
    draw.tensor("X", &shape, Values::Moderate);
    let k = draw.above(*shape.last().unwrap_or(&0) as i64);
    give_k(draw, k);
}

/// Draws elements with few different values. A floating-point tensor has at most one NaN, because the specification
/// leaves open whether two NaNs are equal.
fn repeating(draw: &mut Draw, shape: &[usize]) -> Tensor {
    let dtype = draw.dtype("T");
    let values = draw.choose(&[Values::Between(-2.0, 3.0), Values::Integers, Values::Finite]);
    let pool = draw.elements(dtype, &[5], if dtype == DType::Bool { Values::Any } else { values });
    let nan = dtype.is_float() && draw.once_in(4);
    let mut sources: Vec<usize> = draw.block(shape.iter().product(), 5).into_iter().map(|i| i as usize).collect();
    let mut bits: Vec<u64> = sources.iter().map(|&i| pool.bits_at(i)).collect();
    let size = dtype.size();
    if nan
        && let Some(format) = dtype.float_format()
        && !bits.is_empty()
    {
        let at = draw.below(bits.len());
        bits[at] = format.encode(f64::NAN, plumbline_tensor::Saturation::None);
        draw.feature("one NaN");
    }
    let tensor = match dtype {
        DType::String => {
            Tensor::from_strings(shape.to_vec(), sources.iter().map(|&i| pool.strings()[i].clone()).collect())
        }
        DType::Complex64 | DType::Complex128 => {
            let element = |i: usize| pool.bytes()[i * size..(i + 1) * size].to_vec();
            Tensor::from_bytes(dtype, shape.to_vec(), sources.drain(..).flat_map(element).collect())
        }
        _ => Tensor::from_bits(dtype, shape.to_vec(), bits.into_iter()),
    };
    tensor.expect("as many elements as the shape says")
}

pub fn unique(draw: &mut Draw) {
    let axis = draw.give_attribute("axis");
    let mut shape = draw.full_shape(if axis { 1..=4 } else { 0..=4 });
    if axis {
        let axis = draw.axis(shape.len(), true);
        draw.int_attribute("axis", axis);
        // Each slice along the axis has few elements, so that some slices are equal.
        let at = axis.rem_euclid(shape.len() as i64) as usize;
        for (d, extent) in shape.iter_mut().enumerate() {
            if d == at {
                *extent *= 2;
            } else if draw.flag() {
                *extent = 1;
            }
        }
    } else if !shape.is_empty() && draw.once_in(14) {
        shape[0] = 0;
        draw.feature("empty extent");
    }
    let x = repeating(draw, &shape);
    draw.input("X", x);
    if draw.give_attribute("sorted") {
        let sorted = draw.range(0..=1);
        draw.int_attribute("sorted", sorted);
        if sorted == 0 {
            draw.feature("order of occurrence");
        }
    }
    let named = [true, draw.flag(), draw.flag(), draw.flag()];
    if named.windows(2).any(|pair| !pair[0] && pair[1]) {
        draw.feature("an output left out before a named one");
    }
    draw.outputs(&named);
}

pub fn unique_axis_in_range(draw: &mut Draw) {
    axis_outside(draw, "X");
}

pub fn unique_sorted_known(draw: &mut Draw) {
    let shape = draw.full_shape(1..=3);
    draw.tensor("X", &shape, Values::Moderate);
    let sorted = draw.way_of(&[2, -1]);
    draw.int_attribute("sorted", sorted);
}

//! Recipes for operators that choose elements by a condition: Trilu, Compress, NonZero and OneHot.

use plumbline_tensor::{DType, Data, Tensor};

use crate::draw::Draw;
use crate::values::Values;

pub fn trilu(draw: &mut Draw) {
    let shape = draw.shape(2..=5);
    draw.tensor("input", &shape, Values::Any);
    let (rows, columns) = (shape[shape.len() - 2] as i64, shape[shape.len() - 1] as i64);
    if draw.give_input("k") {
        let k = match draw.below(8) {
            7 => {
                draw.feature("extreme diagonal");
                draw.choose(&[i64::MAX, i64::MIN])
            }
            6 => {
                draw.feature("diagonal outside");
                draw.choose(&[columns, -rows, columns + 3, -rows - 3])
            }
            _ => draw.range(-rows..=columns),
        };
        draw.int_scalar("k", k);
    }
    if draw.give_attribute("upper") {
        let upper = draw.range(0..=1);
        draw.int_attribute("upper", upper);
        if upper == 0 {
            draw.feature("lower triangle");
        }
    }
}

pub fn trilu_rank_at_least_two(draw: &mut Draw) {
    let rank = draw.way_of(&[1, 0]);
    let shape = draw.full_shape(rank..=rank);
    draw.tensor("input", &shape, Values::Any);
}

pub fn trilu_k_is_scalar(draw: &mut Draw) {
    let shape = draw.full_shape(2..=4);
    draw.tensor("input", &shape, Values::Any);
    // One element in a tensor of rank 1, or two elements.
    let count = 1 + draw.way(2);
    draw.ints("k", &[0, 1][..count]);
}

pub fn compress(draw: &mut Draw) {
    let shape = draw.shape(1..=5);
    draw.tensor("input", &shape, Values::Any);
    let given = draw.give_attribute("axis");
    let extent = if given {
        let axis = draw.axis(shape.len(), draw.since() >= 11);
        draw.int_attribute("axis", axis);
        shape[axis.rem_euclid(shape.len() as i64) as usize]
    } else {
        shape.iter().product()
    };
    let mut length = extent;
    if extent > 0 && draw.once_in(3) {
        length = draw.below(extent);
        draw.feature("short condition");
    }
    let mut condition = draw.tensor("condition", &[length], Values::Any);
    if length == extent && draw.once_in(8) {
        // The condition is longer than the input, and false in the additional place.
        draw.feature("long condition");
        let flags: Vec<i128> = condition.to_i128s().into_iter().chain([0]).collect();
        condition = Tensor::from_i128s(DType::Bool, vec![flags.len()], &flags).expect("one more");
        draw.replace_last_input(condition.clone());
    }
    if condition.to_i128s().iter().all(|&flag| flag == 0) {
        draw.feature("nothing selected");
    }
}

pub fn compress_rank_at_least_one(draw: &mut Draw) {
    draw.tensor("input", &[], Values::Any);
    draw.tensor("condition", &[1], Values::Any);
}

pub fn compress_condition_rank_one(draw: &mut Draw) {
    let shape = draw.full_shape(1..=3);
    draw.tensor("input", &shape, Values::Any);
    let shape = draw.way_of(&[vec![], vec![1, 2]]);
    draw.tensor("condition", &shape, Values::Any);
}

pub fn compress_axis_in_range(draw: &mut Draw) {
    let shape = draw.full_shape(1..=4);
    draw.tensor("input", &shape, Values::Any);
    draw.tensor("condition", &[1], Values::Any);
    let axis = if draw.since() >= 11 { draw.bad_axis(shape.len(), true) } else { draw.above(shape.len() as i64 - 1) };
    draw.int_attribute("axis", axis);
}

/// Gives a condition that is true beyond the end, at the first or the second place.
pub fn compress_condition_fits_extent(draw: &mut Draw) {
    let shape = draw.full_shape(1..=3);
    draw.tensor("input", &shape, Values::Any);
    let mut extent = shape.iter().product();
    if draw.way(2) == 0 {
        let axis = draw.way(shape.len());
        draw.int_attribute("axis", axis as i64);
        extent = shape[axis];
    }
    let more = if draw.once_in(4) { 2 } else { 1 };
    let mut flags = vec![0; extent + more];
    flags[0] = 1;
    flags[extent + more - 1] = 1;
    let condition = Tensor::from_i128s(DType::Bool, vec![flags.len()], &flags).expect("as many flags");
    draw.input("condition", condition);
}

pub fn non_zero(draw: &mut Draw) {
    let dtype = draw.input_dtype("X");
    let shape = draw.shape(0..=5);
    if shape.is_empty() {
        draw.feature("scalar");
    }
    let full = draw.elements(dtype, &shape, Values::Any);
    let size = dtype.size();
    // Half of the elements are zero. The specification does not say which strings are zero, so all strings here have
    // letters.
    let data = match full.data().clone() {
        Data::Strings(strings) => Data::Strings(
            strings.into_iter().map(|s| if s.trim_ascii().is_empty() { b"a".to_vec() } else { s }).collect(),
        ),
        Data::Bytes(mut bytes) => {
            for element in bytes.chunks_mut(size.max(1)) {
                if draw.flag() {
                    element.fill(0);
                }
            }
            Data::Bytes(bytes)
        }
    };
    draw.input("X", Tensor::new(dtype, shape, data).expect("as many elements as before"));
}

/// Gives the depth. A floating-point depth is truncated, so that it may have a fraction.
fn give_depth(draw: &mut Draw, depth: i64, shape: Vec<usize>) {
    let dtype = draw.input_dtype("depth");
    if dtype.is_float() {
        let mut value = depth as f64;
        if draw.once_in(3) {
            value += 0.5;
            draw.feature("depth with a fraction");
        }
        draw.input("depth", Tensor::from_f64s(dtype, shape, &[value]).expect("one value"));
    } else {
        draw.int_tensor("depth", shape, &[depth]);
    }
}

/// Gives indices inside the depth, at its ends, and outside.
fn give_indices(draw: &mut Draw, shape: &[usize], depth: i64) {
    let dtype = draw.input_dtype("indices");
    // The specification of versions before 11 both forbids negative indices and describes them.
    let signed = dtype.integer_range().is_none_or(|(low, _)| low < 0) && draw.since() >= 11;
    let count: usize = shape.iter().product();
    let mut values = Vec::new();
    for _ in 0..count {
        let value = match draw.below(10) {
            8 => depth - 1,
            9 if signed => -depth,
            5 if signed => -draw.range(1..=depth),
            6 => depth + draw.range(0..=3),
            7 if signed => -depth - draw.range(1..=3),
            _ => draw.range(0..=depth - 1),
        };
        values.push(value);
    }
    if values.iter().any(|v| *v >= depth || *v < -depth) {
        draw.feature("index outside");
    }
    if values.iter().any(|v| *v < 0 && *v >= -depth) {
        draw.feature("negative index");
    }
    if dtype.is_float() {
        // Fractions are dropped towards zero.
        let values: Vec<f64> = values
            .into_iter()
            .map(|v| v as f64 + if v < 0 { -1.0 } else { 1.0 } * draw.choose(&[0.0, 0.0, 0.25, 0.75]))
            .collect();
        draw.input("indices", Tensor::from_f64s(dtype, shape.to_vec(), &values).expect("as many as the shape says"));
    } else {
        draw.int_tensor("indices", shape.to_vec(), &values);
    }
}

pub fn one_hot(draw: &mut Draw) {
    // Few backends accept every combination of types, so that most cases have the usual ones.
    for (variable, usual) in [("T1", DType::Int64), ("T2", DType::Int64), ("T3", DType::Float)] {
        if !draw.once_in(4) {
            draw.bind(variable, usual);
        }
    }
    let shape = draw.shape(1..=3);
    let depth = draw.range(1..=6);
    give_indices(draw, &shape, depth);
    let scalar = draw.flag();
    draw.feature(if scalar { "depth of rank 0" } else { "depth of rank 1" });
    give_depth(draw, depth, if scalar { vec![] } else { vec![1] });
    draw.tensor("values", &[2], Values::Any);
    if draw.give_attribute("axis") {
        let rank = shape.len() as i64;
        // OneHot-9 allows no negative axis except -1.
        let axis = if draw.since() < 11 { draw.range(-1..=rank) } else { draw.range(-rank - 1..=rank) };
        draw.int_attribute("axis", axis);
    }
}

/// Gives more than one depth, or a negative one.
pub fn one_hot_depth_valid(draw: &mut Draw) {
    give_indices(draw, &[3], 2);
    let dtype = draw.input_dtype("depth");
    let signed = dtype.integer_range().is_none_or(|(low, _)| low < 0);
    let (shape, depth) = match draw.way(if signed { 3 } else { 2 }) {
        0 => (vec![2], 1),
        1 => (vec![1, 1], 1),
        _ => (vec![], -1),
    };
    draw.input("depth", numbers(dtype, shape, depth));
    draw.tensor("values", &[2], Values::Any);
}

/// Returns a tensor with the same number everywhere.
fn numbers(dtype: DType, shape: Vec<usize>, value: i64) -> Tensor {
    let count = shape.iter().product();
    let tensor = if dtype.is_float() {
        Tensor::from_f64s(dtype, shape, &vec![value as f64; count])
    } else {
        Tensor::from_i128s(dtype, shape, &vec![i128::from(value); count])
    };
    tensor.expect("as many as the shape says")
}

pub fn one_hot_values_are_pair(draw: &mut Draw) {
    give_indices(draw, &[3], 2);
    give_depth(draw, 2, vec![]);
    let shape = draw.way_of(&[vec![3], vec![1], vec![1, 2]]);
    draw.tensor("values", &shape, Values::Any);
}

pub fn one_hot_axis_in_range(draw: &mut Draw) {
    let shape = draw.full_shape(1..=3);
    give_indices(draw, &shape, 2);
    give_depth(draw, 2, vec![]);
    draw.tensor("values", &[2], Values::Any);
    let rank = shape.len() as i64;
    let axis = if draw.since() >= 11 { draw.beyond(-rank - 1, rank) } else { draw.above(rank) };
    draw.int_attribute("axis", axis);
}

//! Draws a position of a sequence or the place behind it, counted from either end or left out; some sequences are
//! empty.

use plumbline_spec::TypeStr;

use crate::families::sequence;
use crate::prelude::*;

pub fn sequence_insert(draw: &mut Draw) {
    let n = draw.range(0..=3) as usize;
    if n == 0 {
        draw.feature("into an empty sequence");
    }
    let dtype = sequence::sequence(draw, n);
    let tensor = sequence::tensor(draw, dtype);
    draw.input("tensor", tensor);
    if draw.give_input("position") {
        // The place after the last tensor is valid too.
        sequence::position(draw, n + 1, n);
    }
}

pub fn position_in_range(draw: &mut Draw) {
    let n = draw.range(0..=3) as usize;
    let dtype = sequence::sequence(draw, n);
    let tensor = sequence::tensor(draw, dtype);
    draw.input("tensor", tensor);
    sequence::position_out_of_range(draw, n, n as i64);
}

pub fn position_is_scalar(draw: &mut Draw) {
    let dtype = sequence::sequence(draw, 2);
    let tensor = sequence::tensor(draw, dtype);
    draw.input("tensor", tensor);
    sequence::position_in_list(draw);
}

/// Gives a tensor of another type than those in the sequence.
pub fn element_type_fits(draw: &mut Draw) {
    let dtype = sequence::sequence(draw, 2);
    let other = if dtype == DType::Float { DType::Int64 } else { DType::Float };
    draw.binding.insert("T".to_owned(), TypeStr::Tensor(other));
    let tensor = sequence::tensor(draw, other);
    draw.input("tensor", tensor);
}

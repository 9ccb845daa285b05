//! Sequences, positions and axes for the operators on sequences of tensors.

use plumbline_spec::TypeStr;
use plumbline_tensor::{Value, ValueKind};

use crate::prelude::*;

/// Returns the element type of the tensors and sequences, and binds T and S to types with these elements. If the cell
/// binds T or S, the element type follows from that.
pub fn element_type(draw: &mut Draw) -> DType {
    let bound = ["T", "S"].iter().find_map(|v| draw.binding.get(*v)).map(TypeStr::leaf_dtype);
    let dtype = bound.unwrap_or_else(|| draw.dtype("S"));
    let tensor = TypeStr::Tensor(dtype);
    for (variable, type_) in [("T", tensor.clone()), ("S", TypeStr::Sequence(Box::new(tensor)))] {
        if draw.version().types.contains_key(variable) {
            draw.binding.insert(variable.to_owned(), type_);
        }
    }
    dtype
}

/// Gives a sequence of `count` tensors, each of any shape, and returns their element type.
pub fn sequence(draw: &mut Draw, count: usize) -> DType {
    let dtype = element_type(draw);
    let tensors = (0..count).map(|_| tensor(draw, dtype)).collect();
    give(draw, dtype, tensors);
    dtype
}

/// Draws a tensor of any shape.
pub fn tensor(draw: &mut Draw, dtype: DType) -> Tensor {
    let shape = draw.shape(0..=4);
    draw.elements(dtype, &shape, Values::Any)
}

/// Gives a sequence of these tensors.
pub fn give(draw: &mut Draw, dtype: DType, tensors: Vec<Tensor>) {
    let items = tensors.into_iter().map(Value::Tensor).collect();
    draw.input("input_sequence", Value::Sequence { element: ValueKind::Tensor(dtype), items });
}

/// Gives a position below `count` in a sequence of `n` tensors. Half of the positions below `n` count from the back.
pub fn position(draw: &mut Draw, count: usize, n: usize) {
    let mut at = draw.below(count) as i64;
    if n > 0 && at < n as i64 && draw.flag() {
        draw.feature("position from the back");
        at -= n as i64;
    }
    draw.int_scalar("position", at);
}

/// Gives a position out of range, mostly by one; `last` is the last position in range.
pub fn position_out_of_range(draw: &mut Draw, n: usize, last: i64) {
    // For an empty sequence, `last` may be -1: then position 0 is already out of range.
    let at = draw.beyond(-(n as i64), last);
    draw.int_scalar("position", at);
}

/// Gives a list of two positions, where a scalar is required.
pub fn position_in_list(draw: &mut Draw) {
    draw.int_tensor("position", vec![2], &[0, 0]);
}

/// Gives an axis for a result of this rank, and returns it counted from the front.
pub fn axis(draw: &mut Draw, rank: usize) -> usize {
    let axis = draw.axis(rank, true);
    draw.int_attribute("axis", axis);
    if axis < 0 { (axis + rank as i64) as usize } else { axis as usize }
}

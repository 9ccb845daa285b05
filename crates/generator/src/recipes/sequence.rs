//! Recipes for the operators on sequences of tensors.

use plumbline_spec::TypeStr;
use plumbline_tensor::{DType, Tensor, Value, ValueKind};

use crate::draw::Draw;
use crate::values::Values;

/// Returns the element type of the tensors and sequences, and binds both type variables to it. It is the type that the
/// cell binds, if any.
fn element(draw: &mut Draw) -> DType {
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

/// Gives a sequence of `count` tensors with different shapes, and returns their element type.
fn sequence(draw: &mut Draw, count: usize) -> DType {
    let dtype = element(draw);
    let tensors = (0..count).map(|_| tensor(draw, dtype)).collect();
    give(draw, dtype, tensors);
    dtype
}

fn tensor(draw: &mut Draw, dtype: DType) -> Tensor {
    let shape = draw.shape(0..=4);
    draw.elements(dtype, &shape, Values::Any)
}

fn give(draw: &mut Draw, dtype: DType, tensors: Vec<Tensor>) {
    let items = tensors.into_iter().map(Value::Tensor).collect();
    draw.input("input_sequence", Value::Sequence { element: ValueKind::Tensor(dtype), items });
}

/// Gives a position below `count`. Half of the positions count from the back of the `n` elements.
fn position(draw: &mut Draw, count: usize, n: usize) {
    let mut at = draw.below(count) as i64;
    if n > 0 && at < n as i64 && draw.flag() {
        draw.feature("position from the back");
        at -= n as i64;
    }
    draw.int_scalar("position", at);
}

/// Gives a position just out of range; `last` is the last one in range.
fn bad_position(draw: &mut Draw, n: usize, last: i64) {
    // For an empty sequence, `last` may be -1: then position 0 is already out of range.
    let at = draw.beyond(-(n as i64), last);
    draw.int_scalar("position", at);
}

/// Gives two positions in a list.
fn listed_position(draw: &mut Draw) {
    draw.int_tensor("position", vec![2], &[0, 0]);
}

pub fn sequence_at(draw: &mut Draw) {
    let n = draw.range(1..=4) as usize;
    sequence(draw, n);
    position(draw, n, n);
}

pub fn sequence_at_position_in_range(draw: &mut Draw) {
    let n = draw.range(0..=3) as usize;
    sequence(draw, n);
    bad_position(draw, n, n as i64 - 1);
}

pub fn sequence_at_position_is_scalar(draw: &mut Draw) {
    sequence(draw, 2);
    listed_position(draw);
}

pub fn sequence_construct(draw: &mut Draw) {
    let dtype = element(draw);
    for _ in 0..draw.range(1..=4) {
        let tensor = tensor(draw, dtype);
        draw.input("inputs", tensor);
    }
}

pub fn sequence_empty(draw: &mut Draw) {
    let dtype = draw.dtype("S");
    // Without the attribute the type is float.
    if draw.give() || dtype != DType::Float {
        draw.int_attribute("dtype", i64::from(dtype.code()));
    }
}

pub fn sequence_empty_dtype_allowed(draw: &mut Draw) {
    draw.dtype("S");
    let code = draw.foreign_code_or_zero(&[DType::Bfloat16]);
    draw.int_attribute("dtype", code);
}

pub fn sequence_erase(draw: &mut Draw) {
    let n = draw.range(1..=4) as usize;
    sequence(draw, n);
    if n == 1 {
        draw.feature("nothing is left");
    }
    if draw.give_input("position") {
        position(draw, n, n);
    }
}

pub fn sequence_erase_position_in_range(draw: &mut Draw) {
    let n = draw.range(0..=3) as usize;
    sequence(draw, n);
    if n > 0 || draw.way(2) == 1 {
        bad_position(draw, n, n as i64 - 1);
    }
}

pub fn sequence_erase_position_is_scalar(draw: &mut Draw) {
    sequence(draw, 2);
    listed_position(draw);
}

pub fn sequence_insert(draw: &mut Draw) {
    let n = draw.range(0..=3) as usize;
    if n == 0 {
        draw.feature("into an empty sequence");
    }
    let dtype = sequence(draw, n);
    let tensor = tensor(draw, dtype);
    draw.input("tensor", tensor);
    if draw.give_input("position") {
        // The place after the last tensor is valid too.
        position(draw, n + 1, n);
    }
}

pub fn sequence_insert_position_in_range(draw: &mut Draw) {
    let n = draw.range(0..=3) as usize;
    let dtype = sequence(draw, n);
    let tensor = tensor(draw, dtype);
    draw.input("tensor", tensor);
    bad_position(draw, n, n as i64);
}

pub fn sequence_insert_position_is_scalar(draw: &mut Draw) {
    let dtype = sequence(draw, 2);
    let tensor = tensor(draw, dtype);
    draw.input("tensor", tensor);
    listed_position(draw);
}

/// Gives a tensor of another type than those in the sequence.
pub fn sequence_insert_element_type_fits(draw: &mut Draw) {
    let dtype = sequence(draw, 2);
    let other = if dtype == DType::Float { DType::Int64 } else { DType::Float };
    draw.binding.insert("T".to_owned(), TypeStr::Tensor(other));
    let tensor = tensor(draw, other);
    draw.input("tensor", tensor);
}

pub fn sequence_length(draw: &mut Draw) {
    let n = draw.choose(&[1, 0, 2, 3, 5]);
    if n == 0 {
        draw.feature("empty sequence");
    }
    sequence(draw, n);
}

/// Gives an axis for a result of this rank, and returns it counted from the front.
fn axis(draw: &mut Draw, rank: usize) -> usize {
    let axis = draw.axis(rank, true);
    draw.int_attribute("axis", axis);
    if axis < 0 { (axis + rank as i64) as usize } else { axis as usize }
}

pub fn concat_from_sequence(draw: &mut Draw) {
    let dtype = element(draw);
    let new_axis = draw.give_attribute("new_axis");
    let stacks = new_axis && draw.flag();
    if new_axis {
        draw.int_attribute("new_axis", i64::from(stacks));
    }
    let mut shape = if stacks { draw.shape(0..=4) } else { draw.shape(1..=5) };
    let axis = axis(draw, shape.len() + usize::from(stacks));
    if stacks {
        draw.feature("a new axis");
    }
    let count = draw.range(1..=4);
    let mut tensors = Vec::new();
    for _ in 0..count {
        if !stacks {
            shape[axis] = draw.choose(&[1, 2, 3, 0]);
        }
        tensors.push(draw.elements(dtype, &shape, Values::Any));
    }
    give(draw, dtype, tensors);
}

pub fn concat_from_sequence_axis_in_range(draw: &mut Draw) {
    let dtype = element(draw);
    let stacks = draw.way(2) == 1;
    let shape = draw.full_shape(0..=3);
    draw.int_attribute("new_axis", i64::from(stacks));
    let bad = draw.bad_axis(shape.len() + usize::from(stacks), true);
    draw.int_attribute("axis", bad);
    let tensors = (0..2).map(|_| draw.elements(dtype, &shape, Values::Any)).collect();
    give(draw, dtype, tensors);
}

/// Gives two tensors that differ in rank, or in an extent besides the one along the axis. With a new axis, all extents
/// have to be equal.
pub fn concat_from_sequence_other_extents_equal(draw: &mut Draw) {
    let dtype = element(draw);
    let stacks = draw.way(2) == 1;
    draw.int_attribute("new_axis", i64::from(stacks));
    let shape = draw.full_shape(2..=4);
    let at = draw.way(shape.len());
    draw.int_attribute("axis", at as i64);
    let mut other = shape.clone();
    if draw.way(2) == 1 {
        other.push(1);
    } else {
        let at = (at + usize::from(!stacks)) % shape.len();
        other[at] = draw.other_extent(other[at]);
    }
    let tensors = [shape, other].iter().map(|s| draw.elements(dtype, s, Values::Any)).collect();
    give(draw, dtype, tensors);
}

/// Gives the tensor to split, with this extent along the axis. The axis may be left out.
fn whole(draw: &mut Draw, extent: usize) {
    element(draw);
    let mut shape = draw.full_shape(1..=4);
    let given = draw.give_attribute("axis");
    let at = if given { axis(draw, shape.len()) } else { 0 };
    shape[at] = extent;
    let beside = draw.below(shape.len());
    if beside != at && draw.once_in(8) {
        shape[beside] = 0;
        draw.feature("empty chunks");
    }
    draw.tensor("input", &shape, Values::Any);
}

pub fn split_to_sequence(draw: &mut Draw) {
    if !draw.give_input("split") {
        let extent = draw.range(1..=4) as usize;
        whole(draw, extent);
        if draw.give_attribute("keepdims") {
            let keep = draw.choose(&[1, 0]);
            draw.int_attribute("keepdims", keep);
            if keep == 0 {
                draw.feature("axis left out");
            }
        }
        return;
    }
    if draw.flag() {
        let (chunk, extent) = (draw.range(1..=4), draw.range(1..=7));
        whole(draw, extent as usize);
        if extent % chunk != 0 {
            draw.feature("last chunk smaller");
        }
        draw.int_scalar("split", chunk);
    } else {
        let lengths: Vec<i64> = (0..draw.range(1..=4)).map(|_| draw.range(1..=3)).collect();
        whole(draw, lengths.iter().sum::<i64>() as usize);
        draw.feature("lengths listed");
        draw.ints("split", &lengths);
    }
    if draw.once_in(3) {
        draw.feature("keepdims without a meaning");
        draw.int_attribute("keepdims", 0);
    }
}

pub fn split_to_sequence_axis_in_range(draw: &mut Draw) {
    element(draw);
    let shape = draw.full_shape(0..=3);
    draw.tensor("input", &shape, Values::Any);
    let bad = draw.bad_axis(shape.len(), true);
    draw.int_attribute("axis", bad);
}

pub fn split_to_sequence_lengths_non_negative(draw: &mut Draw) {
    whole(draw, 3);
    if draw.way(2) == 1 {
        let chunk = draw.way_of(&[0, -1]);
        draw.int_scalar("split", chunk);
    } else {
        let lengths = draw.way_of(&[[4, -1], [-1, 4]]);
        draw.ints("split", &lengths);
    }
}

pub fn split_to_sequence_lengths_fit_axis(draw: &mut Draw) {
    let lengths: Vec<i64> = (0..draw.range(1..=4)).map(|_| draw.range(1..=3)).collect();
    let sum: i64 = lengths.iter().sum();
    let off = draw.way_of(&[1, -1]);
    whole(draw, (sum + off) as usize);
    draw.ints("split", &lengths);
}

pub fn split_to_sequence_split_rank_fits(draw: &mut Draw) {
    whole(draw, 2);
    draw.int_tensor("split", vec![1, 2], &[1, 1]);
}

//! Draws any bits for a pair of types of the same width; for bool only the patterns 0 and 1.

use crate::prelude::*;

/// Binds the type that the cell leaves open: to a type of the same width if `same` is set, otherwise to a type of
/// another width. Returns the input's type and the output's type.
fn types_by_width(draw: &mut Draw, same: bool) -> (DType, DType) {
    let (bound, open) = if draw.binding.contains_key("T1") { ("T1", "T2") } else { ("T2", "T1") };
    let fixed = draw.dtype(bound);
    let types = draw.version().types.get(open).cloned().unwrap_or_default();
    let fitting: Vec<DType> =
        types.iter().map(|t| t.leaf_dtype()).filter(|t| (t.bits() == fixed.bits()) == same).collect();
    let other = draw.choose(&fitting);
    draw.bind(open, other);
    if bound == "T1" { (fixed, other) } else { (other, fixed) }
}

pub fn bit_cast(draw: &mut Draw) {
    let (from, to) = types_by_width(draw, true);
    draw.int_attribute("to", i64::from(to.code()));
    let shape = draw.shape(0..=8);
    // The specification leaves the result open for a bool with a pattern other than 0 or 1.
    let of_bool = to == DType::Bool || from == DType::Bool;
    if from.size() > 8 || from == DType::Complex64 && draw.flag() || draw.has_one_special() && !of_bool {
        draw.tensor("input", &shape, Values::Any);
        return;
    }
    let patterns = if of_bool { 2 } else { u64::MAX };
    let bits = draw.block(shape.iter().product(), patterns);
    let tensor =
        Tensor::from_bits(from, shape, bits.into_iter()).expect("there are as many values as the shape has elements");
    draw.input("input", tensor);
}

pub fn to_type_allowed(draw: &mut Draw) {
    let code = draw.foreign_code_or_zero(&[DType::String]);
    draw.int_attribute("to", code);
    draw.declare(code);
    draw.tensor("input", &[3], Values::Any);
}

pub fn bit_widths_equal(draw: &mut Draw) {
    let (_, to) = types_by_width(draw, false);
    draw.int_attribute("to", i64::from(to.code()));
    draw.tensor("input", &[2, 3], Values::Any);
}

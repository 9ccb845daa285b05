//! Lists and types that several operators of `ai.onnx.ml` need.

use plumbline_spec::TypeStr;

use crate::prelude::*;

/// Returns the number of factors: one for each feature, or one for all.
pub fn factor_count(draw: &mut Draw, features: usize) -> usize {
    if features > 1 && draw.flag() {
        draw.feature("one factor for all");
        return 1;
    }
    features.max(1)
}

/// Draws a list of floats.
pub fn floats(draw: &mut Draw, count: usize, values: Values) -> Vec<f32> {
    draw.elements(DType::Float, &[count], values).to_f64s().into_iter().map(|x| x as f32).collect()
}

/// Returns the types of the keys and of the values of the input.
pub fn map_types(draw: &mut Draw) -> (DType, TypeStr) {
    match draw.type_of("T1") {
        TypeStr::Map(key, value) => (key, *value),
        other => (DType::Int64, other),
    }
}

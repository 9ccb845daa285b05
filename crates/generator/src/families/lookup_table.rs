//! Lookup tables: keys that differ, elements that are keys or not, and the attributes that hold them.

use crate::prelude::*;

/// Returns `count` different strings, but at most six.
pub fn distinct_names(count: usize) -> Vec<Vec<u8>> {
    ["a", "B", "", "日本", "b", "c c"].iter().take(count).map(|s| s.as_bytes().to_vec()).collect()
}

/// Collects elements of two tensors of the same type. The pick (0, i) takes element i of the first tensor.
pub fn gathered(sources: [&Tensor; 2], shape: &[usize], picks: &[(usize, usize)]) -> Tensor {
    let tensor = match sources[0].dtype() {
        DType::String => {
            let strings = picks.iter().map(|&(source, i)| sources[source].strings()[i].clone()).collect();
            Tensor::from_strings(shape.to_vec(), strings)
        }
        dtype => {
            let bits = picks.iter().map(|&(source, i)| sources[source].bits_at(i));
            Tensor::from_bits(dtype, shape.to_vec(), bits)
        }
    };
    tensor.expect("there are as many picks as the shape has elements")
}

/// Draws elements of which about two in three are taken from the keys.
pub fn mostly_keys(draw: &mut Draw, keys: &Tensor, shape: &[usize]) -> Tensor {
    let count = shape.iter().product();
    let others = draw.elements(keys.dtype(), shape, Values::Any);
    let bound = (keys.len() + keys.len().div_ceil(2)).max(1) as u64;
    let picks = draw.block(count, bound).into_iter().enumerate();
    let picks: Vec<_> = picks.map(|(i, k)| if (k as usize) < keys.len() { (0, k as usize) } else { (1, i) }).collect();
    if picks.iter().any(|(source, _)| *source == 1) {
        draw.feature("element without a key");
    }
    gathered([keys, &others], shape, &picks)
}

/// Gives a list as the attribute for its element type: with the prefix `keys`, integers become `keys_int64s`.
pub fn list_attribute(draw: &mut Draw, prefix: &str, list: &Tensor) {
    match list.dtype() {
        DType::Int64 => {
            let values: Vec<i64> = list.to_i128s().into_iter().map(|v| v as i64).collect();
            draw.ints_attribute(&format!("{prefix}_int64s"), &values);
        }
        DType::Float => {
            let values: Vec<f32> = list.to_f64s().into_iter().map(|v| v as f32).collect();
            draw.floats_attribute(&format!("{prefix}_floats"), &values);
        }
        DType::String => draw.strings_attribute(&format!("{prefix}_strings"), list.strings()),
        _ => draw.tensor_attribute(&format!("{prefix}_tensor"), list),
    }
}

/// Binds the types of an operator that maps strings to integers or integers to strings. Returns the type of the input.
pub fn strings_and_integers(draw: &mut Draw) -> DType {
    let opposite = |dtype| if dtype == DType::String { DType::Int64 } else { DType::String };
    if draw.binding.contains_key("T2") {
        let output = draw.dtype("T2");
        draw.bind("T1", opposite(output));
        return draw.dtype("T1");
    }
    let input = draw.dtype("T1");
    draw.bind("T2", opposite(input));
    input
}

/// Gives the default for the type of the output, or leaves it out.
pub fn default_value(draw: &mut Draw, output: DType) {
    match output {
        DType::String if draw.give_attribute("default_string") => {
            let default = draw.choose(&["none", "", "é"]);
            draw.string_attribute("default_string", default);
        }
        DType::Int64 if draw.give_attribute("default_int64") => {
            let default = draw.choose(&[0, 7, -1, i64::MIN, i64::MAX]);
            draw.int_attribute("default_int64", default);
        }
        DType::Float if draw.give_attribute("default_float") => {
            let default = draw.choose(&[0.0, 1.5, -0.0, f32::NAN]);
            draw.float_attribute("default_float", default);
        }
        _ => {}
    }
}

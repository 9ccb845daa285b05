//! Draws elements, on average at least half of them keys. Some keys are repeated, NaN or zero. Keys and values are
//! lists, or from LabelEncoder-4 on also tensors. LabelEncoder-1 maps strings to their indices in a list, or indices to
//! strings.

use crate::families::lookup_table;
use crate::prelude::*;

pub fn label_encoder(draw: &mut Draw) {
    if draw.since() == 1 {
        return version_one(draw);
    }
    let (input, output) = (draw.dtype("T1"), draw.dtype("T2"));
    let count = draw.choose(&[1, 2, 3, 5]);
    let mut keys = draw.distinct_elements(input, count);
    let shape = draw.shape(0..=4);
    let x = lookup_table::mostly_keys(draw, &keys, &shape);
    if draw.once_in(6) {
        draw.feature("repeated key");
        keys = repeated(&keys);
    }
    if input.is_float() && keys.to_f64s().iter().any(|key| key.is_nan()) {
        draw.feature("a key NaN");
    }
    if input.is_float() && keys.to_f64s().contains(&0.0) {
        draw.feature("a key of zero");
    }
    let values = draw.elements(output, &[keys.len()], Values::Any);
    draw.input("X", x);
    let tensors = draw.since() >= 4;
    if tensors && draw.flag() {
        draw.tensor_attribute("keys_tensor", &keys);
    } else {
        lookup_table::list_attribute(draw, "keys", &keys);
    }
    if tensors && (draw.flag() || !matches!(output, DType::Int64 | DType::Float | DType::String)) {
        draw.tensor_attribute("values_tensor", &values);
        if draw.give_attribute("default_tensor") {
            let default = draw.elements(output, &[1], Values::Any);
            draw.tensor_attribute("default_tensor", &default);
        }
    } else {
        lookup_table::list_attribute(draw, "values", &values);
        lookup_table::default_value(draw, output);
    }
}

fn version_one(draw: &mut Draw) {
    let input = lookup_table::strings_and_integers(draw);
    let count = draw.choose(&[3, 1, 2, 5]);
    let classes = Tensor::from_strings(vec![count], lookup_table::distinct_names(count))
        .expect("there are as many names as the shape has elements");
    draw.strings_attribute("classes_strings", classes.strings());
    let shape = draw.shape(0..=4);
    let x = match input {
        DType::String => lookup_table::mostly_keys(draw, &classes, &shape),
        _ => draw.elements(DType::Int64, &shape, Values::Mostly(-1.0, count as f64)),
    };
    draw.input("X", x);
    lookup_table::default_value(draw, if input == DType::String { DType::Int64 } else { DType::String });
}

/// Gives an input. If `keys` is set, gives a valid list of keys as well; if `values` is set, a valid list of values.
/// Returns both lists.
fn table(draw: &mut Draw, keys: bool, values: bool) -> (Tensor, Tensor) {
    let (input, output) = (draw.dtype("T1"), draw.dtype("T2"));
    let drawn = draw.distinct_elements(input, 3);
    let results = draw.elements(output, &[drawn.len()], Values::Any);
    let x = lookup_table::mostly_keys(draw, &drawn, &[3]);
    draw.input("X", x);
    if keys {
        lookup_table::list_attribute(draw, "keys", &drawn);
    }
    if values {
        lookup_table::list_attribute(draw, "values", &results);
    }
    (drawn, results)
}

/// Gives none of the lists with this prefix, or two of them. A valid node has exactly one.
fn none_or_two(draw: &mut Draw, prefix: &str, list: &Tensor) {
    if draw.way(2) == 1 {
        lookup_table::list_attribute(draw, prefix, list);
        let others = ["int64s", "floats", "strings"];
        let taken = match list.dtype() {
            DType::Int64 => 0,
            DType::Float => 1,
            DType::String => 2,
            _ => 3,
        };
        match (taken + 1) % 3 {
            0 => draw.ints_attribute(&format!("{prefix}_{}", others[0]), &vec![1; list.len()]),
            1 => draw.floats_attribute(&format!("{prefix}_{}", others[1]), &vec![1.0; list.len()]),
            _ => draw.strings_attribute(&format!("{prefix}_{}", others[2]), &vec![b"a".to_vec(); list.len()]),
        }
    }
}

pub fn one_alternative_given(draw: &mut Draw) {
    if draw.since() == 1 {
        version_one(draw);
        draw.attributes.retain(|a| a.name.as_deref() == Some("classes_strings"));
        draw.int_attribute("default_int64", 1);
        draw.string_attribute("default_string", "none");
        return;
    }
    let (keys, _) = table(draw, false, true);
    none_or_two(draw, "keys", &keys);
}

pub fn values_given(draw: &mut Draw) {
    if draw.since() == 1 {
        version_one(draw);
        draw.attributes.retain(|a| a.name.as_deref() != Some("classes_strings"));
        return;
    }
    let (_, values) = table(draw, true, false);
    none_or_two(draw, "values", &values);
}

pub fn lengths_equal(draw: &mut Draw) {
    let (keys, _) = table(draw, true, false);
    let output = draw.dtype("T2");
    let count = draw.way_of(&[keys.len() + 1, keys.len() - 1]);
    let values = draw.elements(output, &[count], Values::Any);
    lookup_table::list_attribute(draw, "values", &values);
}

pub fn key_type_fits(draw: &mut Draw) {
    let (keys, _) = table(draw, false, true);
    if keys.dtype() == DType::Int64 {
        draw.strings_attribute("keys_strings", &vec![b"a".to_vec(); keys.len()]);
    } else {
        draw.ints_attribute("keys_int64s", &vec![1; keys.len()]);
    }
}

pub fn default_tensor_fits(draw: &mut Draw) {
    table(draw, true, true);
    let output = draw.dtype("T2");
    let default = match draw.way(2) == 1 {
        true => draw.elements(output, &[2], Values::Any),
        false if output == DType::Int64 => draw.elements(DType::Float, &[1], Values::Any),
        false => Tensor::from_i64s(&[1]),
    };
    draw.tensor_attribute("default_tensor", &default);
}

/// Returns the keys with the first one repeated at the end.
fn repeated(keys: &Tensor) -> Tensor {
    let picks: Vec<_> = (0..keys.len()).chain([0]).map(|i| (0, i)).collect();
    lookup_table::gathered([keys, keys], &[picks.len()], &picks)
}

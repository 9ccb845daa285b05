//! Recipes for LabelEncoder, CategoryMapper and OneHotEncoder.

use plumbline_tensor::{DType, Tensor};

use crate::draw::Draw;
use crate::recipes::tables::{among, default_for, distinct, either_way, list_attribute, only_among, repeated};
use crate::values::Values;

/// Returns `count` different strings.
fn names(count: usize) -> Vec<Vec<u8>> {
    ["a", "B", "", "日本", "b", "c c"].iter().take(count).map(|s| s.as_bytes().to_vec()).collect()
}

pub fn label_encoder(draw: &mut Draw) {
    if draw.since() == 1 {
        return places(draw);
    }
    let (input, output) = (draw.dtype("T1"), draw.dtype("T2"));
    let count = draw.choose(&[1, 2, 3, 5]);
    let mut keys = distinct(draw, input, count);
    let shape = draw.shape(0..=4);
    let x = among(draw, &keys, &shape);
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
        list_attribute(draw, "keys", &keys);
    }
    if tensors && (draw.flag() || !matches!(output, DType::Int64 | DType::Float | DType::String)) {
        draw.tensor_attribute("values_tensor", &values);
        if draw.give_attribute("default_tensor") {
            let default = draw.elements(output, &[1], Values::Any);
            draw.tensor_attribute("default_tensor", &default);
        }
    } else {
        list_attribute(draw, "values", &values);
        default_for(draw, output);
    }
}

fn places(draw: &mut Draw) {
    let input = either_way(draw);
    let count = draw.choose(&[3, 1, 2, 5]);
    let classes = Tensor::from_strings(vec![count], names(count)).expect("as many names");
    draw.strings_attribute("classes_strings", classes.strings());
    let shape = draw.shape(0..=4);
    let x = match input {
        DType::String => among(draw, &classes, &shape),
        _ => draw.elements(DType::Int64, &shape, Values::Mostly(-1.0, count as f64)),
    };
    draw.input("X", x);
    default_for(draw, if input == DType::String { DType::Int64 } else { DType::String });
}

/// Gives a valid table of keys and values, without the lists that the flags leave out. Returns the keys and the values.
fn table(draw: &mut Draw, keys: bool, values: bool) -> (Tensor, Tensor) {
    let (input, output) = (draw.dtype("T1"), draw.dtype("T2"));
    let made = distinct(draw, input, 3);
    let results = draw.elements(output, &[made.len()], Values::Any);
    let x = among(draw, &made, &[3]);
    draw.input("X", x);
    if keys {
        list_attribute(draw, "keys", &made);
    }
    if values {
        list_attribute(draw, "values", &results);
    }
    (made, results)
}

/// Gives none of the alternative lists, or two of them.
fn none_or_two(draw: &mut Draw, prefix: &str, list: &Tensor) {
    if draw.way(2) == 1 {
        list_attribute(draw, prefix, list);
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

pub fn label_encoder_one_alternative_given(draw: &mut Draw) {
    if draw.since() == 1 {
        places(draw);
        draw.attributes.retain(|a| a.name.as_deref() == Some("classes_strings"));
        draw.int_attribute("default_int64", 1);
        draw.string_attribute("default_string", "none");
        return;
    }
    let (keys, _) = table(draw, false, true);
    none_or_two(draw, "keys", &keys);
}

pub fn label_encoder_values_given(draw: &mut Draw) {
    if draw.since() == 1 {
        places(draw);
        draw.attributes.retain(|a| a.name.as_deref() != Some("classes_strings"));
        return;
    }
    let (_, values) = table(draw, true, false);
    none_or_two(draw, "values", &values);
}

pub fn label_encoder_lengths_equal(draw: &mut Draw) {
    let (keys, _) = table(draw, true, false);
    let output = draw.dtype("T2");
    let count = draw.way_of(&[keys.len() + 1, keys.len() - 1]);
    let values = draw.elements(output, &[count], Values::Any);
    list_attribute(draw, "values", &values);
}

pub fn label_encoder_key_type_fits(draw: &mut Draw) {
    let (keys, _) = table(draw, false, true);
    if keys.dtype() == DType::Int64 {
        draw.strings_attribute("keys_strings", &vec![b"a".to_vec(); keys.len()]);
    } else {
        draw.ints_attribute("keys_int64s", &vec![1; keys.len()]);
    }
}

pub fn label_encoder_default_tensor_fits(draw: &mut Draw) {
    table(draw, true, true);
    let output = draw.dtype("T2");
    let default = match draw.way(2) == 1 {
        true => draw.elements(output, &[2], Values::Any),
        false if output == DType::Int64 => draw.elements(DType::Float, &[1], Values::Any),
        false => Tensor::from_i64s(&[1]),
    };
    draw.tensor_attribute("default_tensor", &default);
}

/// Gives the input and both lists of a CategoryMapper: up to `wanted` integers, and `count` names.
fn categories(draw: &mut Draw, input: DType, wanted: usize, count: usize) {
    let cats = distinct(draw, DType::Int64, wanted);
    let ints: Vec<i64> = cats.to_i128s().into_iter().map(|v| v as i64).collect();
    let cats_strings = Tensor::from_strings(vec![count], names(count)).expect("as many names");
    let shape = draw.shape(0..=4);
    let x = among(draw, if input == DType::String { &cats_strings } else { &cats }, &shape);
    draw.input("X", x);
    draw.ints_attribute("cats_int64s", &ints);
    let names = cats_strings.strings();
    // If both counts are equal, the lists have to be equally long, and some of the integers drawn may have been
    // duplicates.
    let names = if count == wanted { &names[..names.len().min(ints.len())] } else { names };
    draw.strings_attribute("cats_strings", names);
}

pub fn category_mapper(draw: &mut Draw) {
    let input = either_way(draw);
    categories(draw, input, 3, 3);
    default_for(draw, if input == DType::String { DType::Int64 } else { DType::String });
}

pub fn category_mapper_both_lists_given(draw: &mut Draw) {
    category_mapper(draw);
    let missing = draw.way_of(&["cats_int64s", "cats_strings"]);
    draw.attributes.retain(|a| a.name.as_deref() != Some(missing));
}

pub fn category_mapper_lengths_equal(draw: &mut Draw) {
    let input = either_way(draw);
    let (ints, strings) = draw.way_of(&[(3, 4), (4, 3), (2, 3)]);
    categories(draw, input, ints, strings);
}

pub fn category_mapper_one_default_at_most(draw: &mut Draw) {
    let input = either_way(draw);
    categories(draw, input, 3, 3);
    draw.int_attribute("default_int64", 1);
    draw.string_attribute("default_string", "none");
}

/// Gives an input for a OneHotEncoder and returns its categories, which are strings or integers like the input. If
/// `all` is set, every element is one of the categories; otherwise some may be missing.
fn one_hot(draw: &mut Draw, all: bool) -> Tensor {
    let input = draw.dtype("T");
    let shape = draw.shape(0..=3);
    if input == DType::String {
        let categories = distinct(draw, DType::String, 5);
        let x = if all { only_among(draw, &categories, &shape) } else { among(draw, &categories, &shape) };
        draw.input("X", x);
        return categories;
    }
    let categories = Tensor::from_i64s(&[3, -1, 0, 7, 4]);
    let x = only_among(draw, &categories, &shape);
    let values: Vec<f64> = x.to_f64s();
    let x = if input.is_float() {
        let away = draw.block(values.len(), 4);
        if away.contains(&1) {
            draw.feature("fraction");
        }
        // The operator drops the fraction of an element.
        let with = |(v, k): (f64, u64)| if k == 1 { v + 0.5f64.copysign(v) } else { v };
        let values: Vec<f64> = values.into_iter().zip(away).map(with).collect();
        Tensor::from_f64s(input, shape.clone(), &values)
    } else {
        let values: Vec<i128> = values.into_iter().map(|v| v as i128).collect();
        Tensor::from_i128s(input, shape.clone(), &values)
    };
    let mut x = x.expect("as many elements as before");
    if !all && draw.flag() {
        x = draw.elements(input, &shape, Values::Mostly(-2.0, 8.0));
    }
    draw.input("X", x);
    categories
}

pub fn one_hot_encoder(draw: &mut Draw) {
    let given = draw.give_attribute("zeros");
    let fails = given && draw.flag();
    if fails {
        draw.feature("zeros = 0");
    }
    let categories = one_hot(draw, fails);
    list_attribute(draw, "cats", &categories);
    if given {
        draw.int_attribute("zeros", i64::from(!fails));
    }
}

pub fn one_hot_encoder_one_category_list_given(draw: &mut Draw) {
    one_hot(draw, true);
    if draw.way(2) == 1 {
        draw.ints_attribute("cats_int64s", &[1, 2]);
        draw.strings_attribute("cats_strings", &names(2));
    }
}

pub fn one_hot_encoder_category_type_fits(draw: &mut Draw) {
    let categories = one_hot(draw, true);
    if categories.dtype() == DType::String {
        draw.ints_attribute("cats_int64s", &[1, 2]);
    } else {
        draw.strings_attribute("cats_strings", &names(2));
    }
}

pub fn one_hot_encoder_elements_in_categories(draw: &mut Draw) {
    let input = draw.dtype("T");
    draw.int_attribute("zeros", 0);
    if input == DType::String {
        draw.strings_attribute("cats_strings", &[b"a".to_vec(), b"b".to_vec()]);
        let x = Tensor::from_strings(vec![2], vec![b"a".to_vec(), b"c".to_vec()]).expect("two strings");
        draw.input("X", x);
        return;
    }
    draw.ints_attribute("cats_int64s", &[1, 2]);
    let x = match input.is_float() {
        true => Tensor::from_f64s(input, vec![2], &[1.0, 3.0]),
        false => Tensor::from_i128s(input, vec![2], &[1, 3]),
    };
    draw.input("X", x.expect("two numbers"));
}

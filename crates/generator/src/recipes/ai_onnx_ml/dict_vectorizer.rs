//! Draws a map with some words of the vocabulary as its keys.

use plumbline_spec::TypeStr;

use crate::families::traditional;
use crate::prelude::*;

/// Binds the element type of the output to that of the map's values. Returns the types of the keys and of the values.
fn vectorized(draw: &mut Draw) -> (DType, TypeStr) {
    if let Some(output) = draw.binding.get("T2").map(TypeStr::leaf_dtype) {
        let all = draw.version().types.get("T1").cloned().unwrap_or_default();
        let fitting: Vec<TypeStr> = all.into_iter().filter(|t| t.leaf_dtype() == output).collect();
        let chosen = draw.choose(&fitting);
        draw.binding.entry("T1".to_owned()).or_insert(chosen);
    }
    let (key, value) = traditional::map_types(draw);
    draw.bind("T2", value.leaf_dtype());
    (key, value)
}

/// Gives a map with some of the words of a vocabulary as its keys, and the vocabulary too if `give` is set. Returns the
/// vocabulary.
fn vocabulary(draw: &mut Draw, give: bool) -> Tensor {
    let (key, value) = vectorized(draw);
    // The oracle compares each key with every word.
    draw.limit_extents(1025);
    let words = match draw.extent(6, 1) {
        6 => draw.distinct_elements(key, 6),
        many if key == DType::String => {
            let words = (0..many).map(|i| format!("word {i}").into_bytes()).collect();
            Tensor::from_strings(vec![many], words).expect("there are as many values as the shape has elements")
        }
        many => Tensor::from_i64s(&(0..many as i64).map(|i| 3 * i - 7).collect::<Vec<_>>()),
    };
    let count = draw.below(words.len() + 1).max(1);
    let start = draw.below(words.len());
    let places: Vec<usize> = (0..count).map(|i| (start + i) % words.len()).collect();
    let chosen = match key {
        DType::String => {
            let strings = places.iter().map(|&i| words.strings()[i].clone()).collect();
            Tensor::from_strings(vec![count], strings).expect("there are as many values as the shape has elements")
        }
        _ => Tensor::from_i64s(&places.iter().map(|&i| words.i128_at(i) as i64).collect::<Vec<_>>()),
    };
    let map = draw.map_of(&chosen, &value, Values::Any);
    draw.input("X", map);
    if give {
        give_vocabulary(draw, &words);
    }
    words
}

fn give_vocabulary(draw: &mut Draw, words: &Tensor) {
    match words.dtype() {
        DType::String => draw.strings_attribute("string_vocabulary", words.strings()),
        _ => {
            let words: Vec<i64> = words.to_i128s().into_iter().map(|w| w as i64).collect();
            draw.ints_attribute("int64_vocabulary", &words);
        }
    }
}

pub fn dict_vectorizer(draw: &mut Draw) {
    vocabulary(draw, true);
}

pub fn one_vocabulary_given(draw: &mut Draw) {
    let both = draw.way(2) == 1;
    vocabulary(draw, both);
    if both {
        draw.attributes.clear();
        draw.ints_attribute("int64_vocabulary", &[1, 2]);
        draw.strings_attribute("string_vocabulary", &[b"a".to_vec(), b"b".to_vec()]);
    }
}

pub fn vocabulary_type_fits(draw: &mut Draw) {
    let words = vocabulary(draw, false);
    match words.dtype() {
        DType::String => draw.ints_attribute("int64_vocabulary", &[1, 2, 3]),
        _ => draw.strings_attribute("string_vocabulary", &[b"a".to_vec(), b"b".to_vec()]),
    }
}

pub fn keys_in_vocabulary(draw: &mut Draw) {
    let words = vocabulary(draw, false);
    match words.dtype() {
        DType::String => draw.strings_attribute("string_vocabulary", &[b"no word".to_vec()]),
        _ => draw.ints_attribute("int64_vocabulary", &[-77_777]),
    }
}

//! Recipes for CastMap, DictVectorizer and ZipMap.

use plumbline_spec::TypeStr;
use plumbline_tensor::{DType, Tensor};

use crate::draw::Draw;
use crate::recipes::tables::distinct;
use crate::values::Values;

/// Returns the types of the keys and of the values of the input.
fn types(draw: &mut Draw) -> (DType, TypeStr) {
    match draw.type_of("T1") {
        TypeStr::Map(key, value) => (key, *value),
        other => (DType::Int64, other),
    }
}

/// Draws `count` different integers below `bound`, in any order.
fn keys(draw: &mut Draw, count: usize, bound: usize) -> Tensor {
    let mut all: Vec<i64> = (0..bound as i64).collect();
    let picked: Vec<i64> = (0..count.min(bound)).map(|_| all.remove(draw.below(all.len()))).collect();
    Tensor::from_i64s(&picked)
}

/// Gives a map with these keys. If its values are strings, each spells a number.
fn give_map(draw: &mut Draw, keys: &Tensor) {
    let (_, value) = types(draw);
    let mut map = draw.map_of(keys, &value, Values::Mostly(-1000.0, 1000.0));
    if let (plumbline_tensor::Value::Map { items, .. }, DType::String) = (&mut map, value.leaf_dtype()) {
        let numbers = draw.elements(DType::Int32, &[items.len()], Values::Between(-1000.0, 1000.0)).to_i128s();
        let spelled = |n: i128| Tensor::from_strings(vec![], vec![n.to_string().into_bytes()]).expect("one string");
        items.iter_mut().zip(numbers).for_each(|(item, n)| *item = spelled(n).into());
    }
    draw.input("X", map);
}

/// Gives `cast_to` with the type of the output. The default is float.
fn cast_to(draw: &mut Draw) {
    let output = draw.dtype("T2");
    let given = draw.give_attribute("cast_to");
    match output {
        DType::Float if !given => {}
        DType::Float => draw.string_attribute("cast_to", "TO_FLOAT"),
        DType::String => draw.string_attribute("cast_to", "TO_STRING"),
        _ => draw.string_attribute("cast_to", "TO_INT64"),
    }
}

pub fn cast_map(draw: &mut Draw) {
    let count = draw.choose(&[2, 1, 3, 5]);
    cast_to(draw);
    let form = draw.give_attribute("map_form").then(|| draw.choose(&["SPARSE", "DENSE"]));
    if let Some(form) = form {
        draw.string_attribute("map_form", form);
    }
    let length = draw.choose(&[5, 6, 8]);
    let length = draw.extent(length, 1);
    if form == Some("SPARSE") {
        draw.feature("sparse");
        draw.int_attribute("max_map", length as i64);
        let keys = keys(draw, count, length);
        return give_map(draw, &keys);
    }
    if draw.give_attribute("max_map") {
        draw.int_attribute("max_map", length as i64);
    }
    let keys = distinct(draw, DType::Int64, count);
    give_map(draw, &keys);
}

pub fn cast_map_attribute_values_known(draw: &mut Draw) {
    let keys = keys(draw, 2, 3);
    give_map(draw, &keys);
    if draw.way(2) == 1 {
        draw.string_attribute("cast_to", "TO_DOUBLE");
    } else {
        cast_to(draw);
        draw.string_attribute("map_form", "COMPRESSED");
    }
}

pub fn cast_map_keys_in_range(draw: &mut Draw) {
    cast_to(draw);
    draw.string_attribute("map_form", "SPARSE");
    draw.int_attribute("max_map", 3);
    let bad = draw.way_of(&[3, -1, 1000, i64::MAX]);
    give_map(draw, &Tensor::from_i64s(&[1, bad]));
}

/// Binds the element type of the output to that of the map's values. Returns the types of the keys and of the values.
fn vectorized(draw: &mut Draw) -> (DType, TypeStr) {
    if let Some(output) = draw.binding.get("T2").map(TypeStr::leaf_dtype) {
        let all = draw.version().types.get("T1").cloned().unwrap_or_default();
        let fitting: Vec<TypeStr> = all.into_iter().filter(|t| t.leaf_dtype() == output).collect();
        let chosen = draw.choose(&fitting);
        draw.binding.entry("T1".to_owned()).or_insert(chosen);
    }
    let (key, value) = types(draw);
    draw.bind("T2", value.leaf_dtype());
    (key, value)
}

/// Gives a map with some of the words of a vocabulary as its keys, and the vocabulary too if `give` is set. Returns the
/// vocabulary.
fn vocabulary(draw: &mut Draw, give: bool) -> Tensor {
    let (key, value) = vectorized(draw);
    // Each word is compared with every other.
    draw.at_most(1025);
    let words = match draw.extent(6, 1) {
        6 => distinct(draw, key, 6),
        many if key == DType::String => {
            let words = (0..many).map(|i| format!("word {i}").into_bytes()).collect();
            Tensor::from_strings(vec![many], words).expect("as many as there are")
        }
        many => Tensor::from_i64s(&(0..many as i64).map(|i| 3 * i - 7).collect::<Vec<_>>()),
    };
    let count = draw.below(words.len() + 1).max(1);
    let start = draw.below(words.len());
    let places: Vec<usize> = (0..count).map(|i| (start + i) % words.len()).collect();
    let chosen = match key {
        DType::String => {
            let strings = places.iter().map(|&i| words.strings()[i].clone()).collect();
            Tensor::from_strings(vec![count], strings).expect("as many as there are")
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

pub fn dict_vectorizer_one_vocabulary_given(draw: &mut Draw) {
    let both = draw.way(2) == 1;
    vocabulary(draw, both);
    if both {
        draw.attributes.clear();
        draw.ints_attribute("int64_vocabulary", &[1, 2]);
        draw.strings_attribute("string_vocabulary", &[b"a".to_vec(), b"b".to_vec()]);
    }
}

pub fn dict_vectorizer_vocabulary_type_fits(draw: &mut Draw) {
    let words = vocabulary(draw, false);
    match words.dtype() {
        DType::String => draw.ints_attribute("int64_vocabulary", &[1, 2, 3]),
        _ => draw.strings_attribute("string_vocabulary", &[b"a".to_vec(), b"b".to_vec()]),
    }
}

pub fn dict_vectorizer_keys_in_vocabulary(draw: &mut Draw) {
    let words = vocabulary(draw, false);
    match words.dtype() {
        DType::String => draw.strings_attribute("string_vocabulary", &[b"no word".to_vec()]),
        _ => draw.ints_attribute("int64_vocabulary", &[-77_777]),
    }
}

/// Gives `count` labels of the type of the output's keys.
fn labels(draw: &mut Draw, count: usize) {
    let strings = matches!(draw.type_of("T"), TypeStr::Sequence(map) if matches!(*map, TypeStr::Map(DType::String, _)));
    if strings {
        let labels = ["b", "a", "é", "", "c c"].iter().take(count).map(|s| s.as_bytes().to_vec());
        draw.strings_attribute("classlabels_strings", &labels.collect::<Vec<_>>());
    } else {
        let labels = draw.choose(&[[7, -1, 3, i64::MAX, 0], [i64::MIN, 2, i64::MAX, -3, 4]]);
        draw.ints_attribute("classlabels_int64s", &labels[..count]);
    }
}

pub fn zip_map(draw: &mut Draw) {
    let columns = draw.choose(&[2, 1, 3, 5]);
    let rows = draw.choose(&[1, 2, 3]);
    let rows = draw.extent(rows, columns);
    let rows = if draw.once_in(16) { 0 } else { rows };
    if rows == 0 {
        draw.feature("no rows");
    }
    labels(draw, columns);
    if rows == 1 && draw.flag() {
        draw.feature("list");
        draw.tensor("X", &[columns], Values::Any);
    } else {
        draw.tensor("X", &[rows, columns], Values::Any);
    }
}

pub fn zip_map_rank_one_or_two(draw: &mut Draw) {
    labels(draw, 2);
    let shape = draw.way_of(&[vec![1, 2, 2], vec![]]);
    draw.tensor("X", &shape, Values::Any);
}

pub fn zip_map_one_label_list_given(draw: &mut Draw) {
    draw.tensor("X", &[2, 2], Values::Any);
    if draw.way(2) == 1 {
        draw.ints_attribute("classlabels_int64s", &[1, 2]);
        draw.strings_attribute("classlabels_strings", &[b"a".to_vec(), b"b".to_vec()]);
    }
}

pub fn zip_map_labels_fit_columns(draw: &mut Draw) {
    let columns = draw.way_of(&[3, 5]);
    draw.tensor("X", &[2, columns], Values::Any);
    labels(draw, 4);
}

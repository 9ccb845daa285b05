//! Draws strings or integers of which two in three have a category, with and without a default for the others.

use crate::families::lookup_table;
use crate::prelude::*;

/// Gives the input and both lists of a CategoryMapper: up to `wanted` integers, and up to `count` names. The lists have
/// the same length if `wanted` and `count` are equal, and different lengths otherwise.
fn categories(draw: &mut Draw, input: DType, wanted: usize, count: usize) {
    let cats = draw.distinct_elements(DType::Int64, wanted);
    let ints: Vec<i64> = cats.to_i128s().into_iter().map(|v| v as i64).collect();
    let cats_strings = Tensor::from_strings(vec![count], lookup_table::distinct_names(count))
        .expect("there are as many names as the shape has elements");
    let shape = draw.shape(0..=4);
    let x = lookup_table::mostly_keys(draw, if input == DType::String { &cats_strings } else { &cats }, &shape);
    draw.input("X", x);
    draw.ints_attribute("cats_int64s", &ints);
    let names = cats_strings.strings();
    // Some of the integers drawn may have been duplicates, so there can be fewer than `wanted`.
    let names = match count == wanted {
        true => &names[..names.len().min(ints.len())],
        false if names.len() == ints.len() => &names[1..],
        false => names,
    };
    draw.strings_attribute("cats_strings", names);
}

pub fn category_mapper(draw: &mut Draw) {
    let input = lookup_table::strings_and_integers(draw);
    categories(draw, input, 3, 3);
    lookup_table::default_value(draw, if input == DType::String { DType::Int64 } else { DType::String });
}

pub fn both_lists_given(draw: &mut Draw) {
    category_mapper(draw);
    let missing = draw.way_of(&["cats_int64s", "cats_strings"]);
    draw.attributes.retain(|a| a.name.as_deref() != Some(missing));
}

pub fn lengths_equal(draw: &mut Draw) {
    let input = lookup_table::strings_and_integers(draw);
    let (ints, strings) = draw.way_of(&[(3, 4), (4, 3), (2, 3)]);
    categories(draw, input, ints, strings);
}

pub fn one_default_at_most(draw: &mut Draw) {
    let input = lookup_table::strings_and_integers(draw);
    categories(draw, input, 3, 3);
    draw.int_attribute("default_int64", 1);
    draw.string_attribute("default_string", "none");
}

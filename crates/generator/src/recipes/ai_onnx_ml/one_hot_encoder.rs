//! Draws strings, integers or floating-point numbers. Some of them have no category, unless `zeros` is 0.

use crate::families::lookup_table;
use crate::prelude::*;

/// Gives an input for a OneHotEncoder and returns its categories: strings for strings, integers for any numbers. If
/// `all` is set, every element has a category; otherwise some elements may have none.
fn one_hot(draw: &mut Draw, all: bool) -> Tensor {
    let input = draw.dtype("T");
    let shape = draw.shape(0..=3);
    if input == DType::String {
        let categories = draw.distinct_elements(DType::String, 5);
        let x = if all {
            only_among(draw, &categories, &shape)
        } else {
            lookup_table::mostly_keys(draw, &categories, &shape)
        };
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
    let mut x = x.expect("the number of elements stays the same");
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
    lookup_table::list_attribute(draw, "cats", &categories);
    if given {
        draw.int_attribute("zeros", i64::from(!fails));
    }
}

pub fn one_category_list_given(draw: &mut Draw) {
    one_hot(draw, true);
    if draw.way(2) == 1 {
        draw.ints_attribute("cats_int64s", &[1, 2]);
        draw.strings_attribute("cats_strings", &lookup_table::distinct_names(2));
    }
}

pub fn category_type_fits(draw: &mut Draw) {
    let categories = one_hot(draw, true);
    if categories.dtype() == DType::String {
        draw.ints_attribute("cats_int64s", &[1, 2]);
    } else {
        draw.strings_attribute("cats_strings", &lookup_table::distinct_names(2));
    }
}

pub fn elements_in_categories(draw: &mut Draw) {
    let input = draw.dtype("T");
    draw.int_attribute("zeros", 0);
    if input == DType::String {
        draw.strings_attribute("cats_strings", &[b"a".to_vec(), b"b".to_vec()]);
        let x = Tensor::from_strings(vec![2], vec![b"a".to_vec(), b"c".to_vec()]).expect("two values fill the shape");
        draw.input("X", x);
        return;
    }
    draw.ints_attribute("cats_int64s", &[1, 2]);
    let x = match input.is_float() {
        true => Tensor::from_f64s(input, vec![2], &[1.0, 3.0]),
        false => Tensor::from_i128s(input, vec![2], &[1, 3]),
    };
    draw.input("X", x.expect("two values fill the shape"));
}

/// Draws elements that are all among the keys.
fn only_among(draw: &mut Draw, keys: &Tensor, shape: &[usize]) -> Tensor {
    let picks = draw.block(shape.iter().product(), keys.len() as u64);
    let picks: Vec<_> = picks.into_iter().map(|k| (0, k as usize)).collect();
    lookup_table::gathered([keys, keys], shape, &picks)
}

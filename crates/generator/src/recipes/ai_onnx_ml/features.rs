//! Recipes for Binarizer, Scaler, Normalizer, Imputer, ArrayFeatureExtractor and FeatureVectorizer.

use plumbline_tensor::{DType, Tensor};

use crate::draw::Draw;
use crate::values::Values;

pub fn binarizer(draw: &mut Draw) {
    let threshold = draw.turn_attribute("threshold", &[1.0, 0.5, -2.0, 0.0, 2.5, 1.0e-40, f32::INFINITY, f32::NAN]);
    threshold.into_iter().for_each(|threshold| draw.float_attribute("threshold", threshold));
    let shape = draw.shape(0..=4);
    let values = draw.choose(&[Values::Integers, Values::Moderate, Values::Any]);
    let dtype = draw.input_dtype("X");
    let x = draw.elements(dtype, &shape, values);
    let x = draw.sprinkled(&x, &[f64::from(threshold.unwrap_or(0.0))]);
    draw.input("X", x);
}

/// Returns the number of factors: one for each feature, or one for all.
fn factors(draw: &mut Draw, features: usize) -> usize {
    if features > 1 && draw.flag() {
        draw.feature("one factor for all");
        return 1;
    }
    features.max(1)
}

/// Draws a list of floats.
fn floats(draw: &mut Draw, count: usize, values: Values) -> Vec<f32> {
    draw.elements(DType::Float, &[count], values).to_f64s().into_iter().map(|x| x as f32).collect()
}

pub fn scaler(draw: &mut Draw) {
    let shape = draw.shape(1..=2);
    let count = factors(draw, shape.last().copied().unwrap_or(1));
    let values = draw.choose(&[Values::Moderate, Values::Integers, Values::Any]);
    draw.tensor("X", &shape, values);
    // The specification leaves an operator open that lacks the offset or the scale, so most cases give both.
    let (both, which) = (shape.contains(&0) || !draw.once_in(4), draw.flag());
    if both || which && draw.give() {
        let offset = floats(draw, count, Values::Moderate);
        draw.floats_attribute("offset", &offset);
    }
    if both || !which && draw.give() {
        let scale = floats(draw, count, Values::Moderate);
        draw.floats_attribute("scale", &scale);
    }
}

pub fn scaler_lengths_equal(draw: &mut Draw) {
    draw.tensor("X", &[2, 3], Values::Moderate);
    let (offset, scale) = draw.way_of(&[(3, 1), (1, 3), (3, 2), (2, 3), (3, 4), (4, 3)]);
    draw.floats_attribute("offset", &vec![1.0; offset]);
    draw.floats_attribute("scale", &vec![2.0; scale]);
}

pub fn scaler_lengths_fit_features(draw: &mut Draw) {
    draw.tensor("X", &[2, 3], Values::Moderate);
    let count = draw.way_of(&[2, 4]);
    draw.floats_attribute("offset", &vec![1.0; count]);
    draw.floats_attribute("scale", &vec![2.0; count]);
}

pub fn normalizer(draw: &mut Draw) {
    let shape = draw.shape(1..=2);
    let values = draw.choose(&[Values::Between(0.0, 8.0), Values::Between(0.5, 100.0), Values::Integers, Values::Any]);
    let norm = draw.choose(&["MAX", "L1", "L2"]);
    if draw.once_in(8) {
        draw.feature("divisor of zero");
        draw.tensor("X", &shape, Values::Between(0.0, 0.0));
    } else {
        draw.tensor("X", &shape, values);
    }
    match draw.give_attribute("norm") {
        true => draw.string_attribute("norm", norm),
        false => draw.feature("default norm"),
    }
}

pub fn normalizer_rank_one_or_two(draw: &mut Draw) {
    let shape = draw.way_of(&[vec![], vec![2, 3, 2]]);
    draw.tensor("X", &shape, Values::Between(0.5, 8.0));
}

pub fn normalizer_norm_known(draw: &mut Draw) {
    draw.tensor("X", &[2, 3], Values::Between(0.5, 8.0));
    draw.string_attribute("norm", "L3");
}

pub fn imputer(draw: &mut Draw) {
    let dtype = draw.dtype("T");
    let shape = draw.shape(1..=3);
    let features = shape.last().copied().unwrap_or(1);
    let count = factors(draw, features);
    let size = shape.iter().product();
    let replaced = draw.block(size, 3);
    let others = draw.elements(dtype, &shape, Values::Any);
    if dtype.is_float() {
        let mut value = 0.0;
        if draw.give_attribute("replaced_value_float") {
            value = draw.choose(&[-1.0, f32::NAN, 0.0, f32::MAX, 0.1]);
            draw.float_attribute("replaced_value_float", value);
            if value.is_nan() {
                draw.feature("NaN replaced");
            }
        }
        let pick = |i: usize| if replaced[i] == 1 { f64::from(value) } else { others.f64_at(i) };
        let values: Vec<f64> = (0..size).map(pick).collect();
        draw.input("X", Tensor::from_f64s(dtype, shape, &values).expect("as many as before"));
        let imputed = floats(draw, count, Values::Any);
        draw.floats_attribute("imputed_value_floats", &imputed);
    } else {
        let mut value = 0;
        if draw.give_attribute("replaced_value_int64") {
            value = draw.choose(&[-1, 0, i64::from(i32::MIN), i64::MAX, i64::MIN]);
            draw.int_attribute("replaced_value_int64", value);
        }
        let pick = |i: usize| if replaced[i] == 1 { i128::from(value) } else { others.i128_at(i) };
        let values: Vec<i128> = (0..size).map(pick).collect();
        draw.input("X", Tensor::from_i128s(dtype, shape, &values).expect("as many as before"));
        let imputed = draw.elements(dtype, &[count], Values::Any).to_i128s();
        draw.ints_attribute("imputed_value_int64s", &imputed.into_iter().map(|v| v as i64).collect::<Vec<_>>());
    }
}

/// Gives `count` values to impute, of the kind of the input (`own`) or of the other kind.
fn imputed(draw: &mut Draw, own: bool, count: usize) {
    if draw.dtype("T").is_float() == own {
        draw.floats_attribute("imputed_value_floats", &vec![1.0; count]);
    } else {
        draw.ints_attribute("imputed_value_int64s", &vec![1; count]);
    }
}

pub fn imputer_one_value_list_given(draw: &mut Draw) {
    draw.tensor("X", &[2, 3], Values::Moderate);
    if draw.way(2) == 1 {
        imputed(draw, true, 1);
        imputed(draw, false, 1);
    }
}

pub fn imputer_value_type_fits(draw: &mut Draw) {
    draw.tensor("X", &[2, 3], Values::Moderate);
    imputed(draw, false, 1);
}

pub fn imputer_lengths_fit_features(draw: &mut Draw) {
    draw.tensor("X", &[2, 3], Values::Moderate);
    let count = draw.way_of(&[2, 4]);
    imputed(draw, true, count);
}

pub fn imputer_values_in_type_range(draw: &mut Draw) {
    if draw.dtype("T") != DType::Int32 {
        return draw.decline();
    }
    draw.tensor("X", &[2, 3], Values::Integers);
    let value = draw.way_of(&[1 << 31, -(1 << 31) - 1, 1 << 40]);
    draw.ints_attribute("imputed_value_int64s", &[value]);
}

pub fn array_feature_extractor(draw: &mut Draw) {
    let shape = draw.shape(2..=4);
    draw.tensor("X", &shape, Values::Any);
    let extent = shape.last().copied().unwrap_or(1) as i64;
    let places = draw.choose(&[vec![1], vec![2], vec![5], vec![1, 3], vec![2, 2]]);
    let count: usize = places.iter().product();
    if extent == 0 {
        return draw.int_tensor("Y", vec![0], &[]);
    }
    if places.len() > 1 {
        draw.feature("matrix of indices");
    }
    let indices: Vec<i64> = draw.block(count, extent as u64).into_iter().map(|i| i as i64).collect();
    draw.int_tensor("Y", places, &indices);
}

pub fn array_feature_extractor_rank_at_least_one(draw: &mut Draw) {
    draw.tensor("X", &[], Values::Any);
    draw.int_tensor("Y", vec![1], &[0]);
}

pub fn array_feature_extractor_indices_in_range(draw: &mut Draw) {
    draw.tensor("X", &[2, 3], Values::Any);
    let bad = draw.way_of(&[3, -1, 1000, i64::MAX, -4, i64::MIN]);
    draw.int_tensor("Y", vec![2], &[1, bad]);
}

pub fn feature_vectorizer(draw: &mut Draw) {
    let examples = draw.choose(&[1, 2, 3, 0]);
    if examples == 0 {
        draw.feature("no example");
    }
    let examples = if examples == 0 { 0 } else { draw.extent(examples, 8) };
    let count = draw.choose(&[1, 2, 3]);
    let values = draw.choose(&[Values::Moderate, Values::Any]);
    let mut widths = Vec::new();
    for _ in 0..count {
        let width = draw.choose(&[1, 2, 3, 5]);
        let width = draw.extent(width, 3 * examples);
        widths.push(width as i64);
        let list = examples == 1 && draw.flag();
        if list {
            draw.feature("list");
        }
        let shape = if list { vec![width] } else { vec![examples, width] };
        draw.tensor("X", &shape, values);
    }
    if draw.give_attribute("inputdimensions") {
        draw.ints_attribute("inputdimensions", &widths);
    }
}

pub fn feature_vectorizer_rank_one_or_two(draw: &mut Draw) {
    let shape = draw.way_of(&[vec![], vec![1, 2, 3]]);
    draw.tensor("X", &shape, Values::Moderate);
}

pub fn feature_vectorizer_first_extents_equal(draw: &mut Draw) {
    draw.tensor("X", &[2, 3], Values::Moderate);
    let shape = draw.way_of(&[vec![3, 3], vec![3], vec![1, 2]]);
    draw.tensor("X", &shape, Values::Moderate);
    draw.ints_attribute("inputdimensions", &[3, shape[shape.len() - 1] as i64]);
}

pub fn feature_vectorizer_inputdimensions_fit(draw: &mut Draw) {
    draw.tensor("X", &[2, 3], Values::Moderate);
    draw.tensor("X", &[2, 1], Values::Moderate);
    let sizes = draw.way_of(&[vec![3], vec![3, 2], vec![3, 0], vec![3, 1, 1], vec![2, 1], vec![4, 1]]);
    draw.ints_attribute("inputdimensions", &sizes);
}

//! Draws elements of which about a third are equal to the value to replace (which may be NaN), and one imputed value
//! for each feature or one for all.

use crate::families::traditional;
use crate::prelude::*;

pub fn imputer(draw: &mut Draw) {
    let dtype = draw.dtype("T");
    let shape = draw.shape(1..=3);
    let features = shape.last().copied().unwrap_or(1);
    let count = traditional::factor_count(draw, features);
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
        draw.input("X", Tensor::from_f64s(dtype, shape, &values).expect("the number of elements stays the same"));
        let imputed = traditional::floats(draw, count, Values::Any);
        draw.floats_attribute("imputed_value_floats", &imputed);
    } else {
        let mut value = 0;
        if draw.give_attribute("replaced_value_int64") {
            value = draw.choose(&[-1, 0, i64::from(i32::MIN), i64::MAX, i64::MIN]);
            draw.int_attribute("replaced_value_int64", value);
        }
        let pick = |i: usize| if replaced[i] == 1 { i128::from(value) } else { others.i128_at(i) };
        let values: Vec<i128> = (0..size).map(pick).collect();
        draw.input("X", Tensor::from_i128s(dtype, shape, &values).expect("the number of elements stays the same"));
        let imputed = draw.elements(dtype, &[count], Values::Any).to_i128s();
        draw.ints_attribute("imputed_value_int64s", &imputed.into_iter().map(|v| v as i64).collect::<Vec<_>>());
    }
}

/// Gives `count` values to impute: in the attribute for the type of the input if `own` is set, otherwise in the
/// attribute for the other types.
fn imputed(draw: &mut Draw, own: bool, count: usize) {
    if draw.dtype("T").is_float() == own {
        draw.floats_attribute("imputed_value_floats", &vec![1.0; count]);
    } else {
        draw.ints_attribute("imputed_value_int64s", &vec![1; count]);
    }
}

pub fn one_value_list_given(draw: &mut Draw) {
    draw.tensor("X", &[2, 3], Values::Moderate);
    if draw.way(2) == 1 {
        imputed(draw, true, 1);
        imputed(draw, false, 1);
    }
}

pub fn value_type_fits(draw: &mut Draw) {
    draw.tensor("X", &[2, 3], Values::Moderate);
    imputed(draw, false, 1);
}

pub fn lengths_fit_features(draw: &mut Draw) {
    draw.tensor("X", &[2, 3], Values::Moderate);
    let count = draw.way_of(&[2, 4]);
    imputed(draw, true, count);
}

pub fn values_in_type_range(draw: &mut Draw) {
    if draw.dtype("T") != DType::Int32 {
        return draw.decline();
    }
    draw.tensor("X", &[2, 3], Values::Integers);
    let value = draw.way_of(&[1 << 31, -(1 << 31) - 1, 1 << 40]);
    draw.ints_attribute("imputed_value_int64s", &[value]);
}

//! Examples, labels and coefficients for linear models and support vector machines.

use crate::families::traditional;
use crate::prelude::*;

/// Gives the examples as input X and returns the number of their features. If `list` is set, a single example may be a
/// 1-D tensor.
pub fn examples(draw: &mut Draw, list: bool, values: &[Values]) -> usize {
    let mut extents = [draw.choose(&[2, 1, 3, 5]), draw.choose(&[1, 2, 3, 0])];
    draw.enlarge(&mut extents, 4);
    let [features, count] = extents;
    let values = draw.choose(values);
    if list && count == 1 && draw.flag() {
        draw.feature("list");
        draw.tensor("X", &[features], values);
    } else {
        draw.tensor("X", &[count, features], values);
    }
    features
}

/// Gives `post_transform`, or leaves it out.
pub fn post_transform(draw: &mut Draw) {
    if draw.give_attribute("post_transform") {
        let transform = draw.choose(&["LOGISTIC", "SOFTMAX", "NONE", "SOFTMAX_ZERO", "PROBIT"]);
        draw.string_attribute("post_transform", transform);
        draw.feature(transform);
    }
}

/// Gives `count` labels of the output's type.
pub fn labels(draw: &mut Draw, count: usize) {
    if draw.dtype("T2") == DType::String {
        let labels: Vec<Vec<u8>> = ["a", "é", "", "c c"][..count].iter().map(|s| s.as_bytes().to_vec()).collect();
        draw.strings_attribute("classlabels_strings", &labels);
    } else {
        let labels = draw.choose(&[[3, -1, 0, 7], [i64::MAX, 0, i64::MIN, 1]]);
        draw.ints_attribute("classlabels_ints", &labels[..count]);
    }
}

/// Removes the labels, or replaces them by labels of both types.
pub fn wrong_labels(draw: &mut Draw) {
    let count = draw.attributes.iter().find(|a| a.name.as_deref().is_some_and(|n| n.starts_with("classlabels")));
    let count = count.map_or(2, |a| a.ints.len().max(a.strings.len()));
    draw.attributes.retain(|a| !a.name.as_deref().is_some_and(|n| n.starts_with("classlabels")));
    if draw.way(2) == 1 {
        draw.ints_attribute("classlabels_ints", &vec![1; count]);
        draw.strings_attribute("classlabels_strings", &vec![b"a".to_vec(); count]);
    }
}

/// Features of any size.
pub const ANY_SIZE: &[Values] =
    &[Values::Integers, Values::Moderate, Values::Around(-1.0, 1.0), Values::Mostly(-4.0, 4.0)];

/// Gives a list of coefficients.
pub fn coefficients(draw: &mut Draw, name: &str, count: usize) {
    let values = draw.choose(&[Values::Integers, Values::Moderate, Values::Between(-1.0, 1.0)]);
    let list = traditional::floats(draw, count, values);
    draw.floats_attribute(name, &list);
}

/// Returns the number of floats in an attribute, which is 0 if the attribute is not given.
pub fn float_count(draw: &Draw, name: &str) -> usize {
    draw.attributes.iter().find(|a| a.name.as_deref() == Some(name)).map_or(0, |a| a.floats.len())
}

/// Replaces an attribute by another list of floats.
pub fn replace_floats(draw: &mut Draw, name: &str, list: &[f32]) {
    draw.attributes.retain(|a| a.name.as_deref() != Some(name));
    draw.floats_attribute(name, list);
}

/// Replaces an attribute by another string.
pub fn replace_string(draw: &mut Draw, name: &str, value: &str) {
    draw.attributes.retain(|a| a.name.as_deref() != Some(name));
    draw.string_attribute(name, value);
}

/// Replaces the input by one of rank 3 or 0.
pub fn wrong_rank(draw: &mut Draw) {
    let dtype = draw.input_dtype("X");
    let shape = draw.way_of(&[vec![1, 2, 1], vec![]]);
    let x = draw.elements(dtype, &shape, Values::Integers);
    draw.replace_last_input(x);
}

/// Features of moderate size, because the kernel of a support vector machine multiplies them.
pub const MODERATE_SIZE: &[Values] = &[Values::Integers, Values::Around(-2.0, 2.0)];

/// Gives the kernel of a support vector machine, and its parameters.
pub fn kernel(draw: &mut Draw) {
    let mut parameters = [0.0, 0.0, 0.0];
    if draw.give_attribute("kernel_type") {
        let kernel = draw.choose(&["RBF", "POLY", "SIGMOID", "LINEAR"]);
        draw.string_attribute("kernel_type", kernel);
        if kernel != "LINEAR" {
            parameters =
                [draw.choose(&[0.5, 0.25, 0.125]), draw.choose(&[0.0, 1.0, -0.5]), draw.choose(&[2.0, 3.0, 1.0])];
        }
    }
    draw.floats_attribute("kernel_params", &parameters);
}

/// Replaces the kernel by an unknown one, or gives it fewer or more parameters than its three.
pub fn wrong_kernel(draw: &mut Draw) {
    if draw.way(2) == 1 {
        replace_string(draw, "kernel_type", "GAUSS");
    } else {
        let params = draw.way_of(&[&[0.5, 0.5][..], &[0.5; 4], &[0.5]]);
        replace_floats(draw, "kernel_params", params);
    }
}

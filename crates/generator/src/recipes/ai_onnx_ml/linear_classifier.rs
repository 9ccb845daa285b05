//! Draws two to four classes with a row of coefficients for each, or one row for two classes, with each transform.

use crate::families::linear_model;
use crate::prelude::*;

/// Gives a classifier of several classes with a row of coefficients for each; one in three classifiers of two classes
/// has a single row. Returns the number of features.
fn classifier(draw: &mut Draw) -> usize {
    let features = linear_model::examples(draw, true, linear_model::ANY_SIZE);
    let classes = draw.choose(&[3, 2, 4]);
    let mut lines = classes;
    if classes == 2 && draw.once_in(3) {
        draw.feature("one row for two classes");
        lines = 1;
    }
    linear_model::labels(draw, classes);
    linear_model::coefficients(draw, "coefficients", lines * features);
    // The specification leaves open what a node without intercepts computes, so most cases give them. A case without
    // examples always gives them, because it has no scores that could show what the node computes.
    let none = draw.inputs.iter().filter_map(|i| i.value.as_ref()?.as_tensor()).any(Tensor::is_empty);
    if none || !draw.once_in(6) {
        linear_model::coefficients(draw, "intercepts", lines);
    }
    features
}

pub fn linear_classifier(draw: &mut Draw) {
    classifier(draw);
    linear_model::post_transform(draw);
    if draw.give_attribute("multi_class") {
        let several = draw.choose(&[0, 0, 0, 1]);
        draw.int_attribute("multi_class", several);
    }
}

pub fn rank_one_or_two(draw: &mut Draw) {
    classifier(draw);
    linear_model::wrong_rank(draw);
}

pub fn one_label_list_given(draw: &mut Draw) {
    classifier(draw);
    linear_model::wrong_labels(draw);
}

pub fn coefficients_fit(draw: &mut Draw) {
    let features = classifier(draw);
    let count = linear_model::float_count(draw, "coefficients");
    // With one feature, two classes may have one coefficient or two, so the list gets at least three.
    let count = if features == 1 { count.max(2) + 1 } else { draw.way_of(&[count + 1, count - 1]) };
    linear_model::replace_floats(draw, "coefficients", &vec![1.0; count]);
}

pub fn intercepts_fit(draw: &mut Draw) {
    let features = classifier(draw);
    let lines = linear_model::float_count(draw, "coefficients") / features.max(1);
    let count = draw.other_extent(lines.max(1));
    linear_model::replace_floats(draw, "intercepts", &vec![1.0; count]);
}

pub fn post_transform_known(draw: &mut Draw) {
    classifier(draw);
    draw.string_attribute("post_transform", "SOFTPLUS");
}

//! Draws two or three classes with each kernel, with and without support vectors and probabilities.

use crate::families::{linear_model, traditional};
use crate::prelude::*;

/// Gives an SVM classifier of two or three classes, and returns the number of pairs of classes. With more than three
/// classes, sources disagree on whether there is a score for each class or for each pair.
fn model(draw: &mut Draw) -> usize {
    let features = linear_model::examples(draw, false, linear_model::MODERATE_SIZE);
    let classes = draw.choose(&[3, 2]);
    linear_model::kernel(draw);
    linear_model::labels(draw, classes);
    let pairs = classes * (classes - 1) / 2;
    if draw.once_in(3) {
        draw.feature("without support vectors");
        draw.ints_attribute("vectors_per_class", &vec![0; classes]);
        draw.floats_attribute("support_vectors", &[]);
        linear_model::coefficients(draw, "coefficients", classes * features);
        linear_model::coefficients(draw, "rho", 1);
        return pairs;
    }
    let counts: Vec<i64> = (0..classes).map(|_| draw.range(1..=2)).collect();
    let total = counts.iter().sum::<i64>() as usize;
    draw.ints_attribute("vectors_per_class", &counts);
    let vectors = traditional::floats(draw, total * features, Values::Between(-2.0, 2.0));
    draw.floats_attribute("support_vectors", &vectors);
    linear_model::coefficients(draw, "coefficients", (classes - 1) * total);
    linear_model::coefficients(draw, "rho", pairs);
    pairs
}

pub fn svm_classifier(draw: &mut Draw) {
    let pairs = model(draw);
    linear_model::post_transform(draw);
    // The specification does not say how probabilities are computed. PROBIT can turn them into any number, and without
    // support vectors no pair of classes has a decision to compute them from. These two cases get no probabilities.
    let open = ["without support vectors", "PROBIT"];
    if !draw.features.iter().any(|f| open.contains(&f.as_str())) && draw.give() {
        let a = traditional::floats(draw, pairs, Values::Between(-2.0, -0.5));
        let b = traditional::floats(draw, pairs, Values::Between(-0.5, 0.5));
        draw.floats_attribute("prob_a", &a);
        draw.floats_attribute("prob_b", &b);
    }
}

pub fn rank_one_or_two(draw: &mut Draw) {
    model(draw);
    linear_model::wrong_rank(draw);
}

pub fn one_label_list_given(draw: &mut Draw) {
    model(draw);
    linear_model::wrong_labels(draw);
}

pub fn kernel_type_known(draw: &mut Draw) {
    model(draw);
    linear_model::wrong_kernel(draw);
}

pub fn model_sizes_fit(draw: &mut Draw) {
    model(draw);
    let list = draw.way_of(&["coefficients", "rho"]);
    let count = linear_model::float_count(draw, list);
    let count = draw.way_of(&[count + 1, count - 1, 0]);
    linear_model::replace_floats(draw, list, &vec![1.0; count]);
}

pub fn post_transform_known(draw: &mut Draw) {
    model(draw);
    draw.string_attribute("post_transform", "SOFTPLUS");
}

pub fn probability_lists_fit(draw: &mut Draw) {
    let pairs = model(draw);
    let [a, b] = draw.way_of(&[[1, 0], [0, 1], [-1, 0], [0, -1]]);
    draw.floats_attribute("prob_a", &vec![-1.0; pairs.saturating_add_signed(a)]);
    draw.floats_attribute("prob_b", &vec![0.0; pairs.saturating_add_signed(b)]);
}

//! Recipes for LinearClassifier, LinearRegressor, SVMClassifier and SVMRegressor.

use plumbline_tensor::DType;

use crate::draw::Draw;
use crate::values::Values;

/// Draws `count` floats.
fn floats(draw: &mut Draw, count: usize, values: Values) -> Vec<f32> {
    draw.elements(DType::Float, &[count], values).to_f64s().into_iter().map(|x| x as f32).collect()
}

/// Gives the examples as input X and returns the number of their features. If `list` is set, a single example may be a
/// 1-D tensor.
fn examples(draw: &mut Draw, list: bool, values: &[Values]) -> usize {
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
fn transform(draw: &mut Draw) {
    if draw.give_attribute("post_transform") {
        let transform = draw.choose(&["LOGISTIC", "SOFTMAX", "NONE", "SOFTMAX_ZERO", "PROBIT"]);
        draw.string_attribute("post_transform", transform);
        draw.feature(transform);
    }
}

/// Gives `count` labels of the output's type.
fn labels(draw: &mut Draw, count: usize) {
    if draw.dtype("T2") == DType::String {
        let labels: Vec<Vec<u8>> = ["a", "é", "", "c c"][..count].iter().map(|s| s.as_bytes().to_vec()).collect();
        draw.strings_attribute("classlabels_strings", &labels);
    } else {
        let labels = draw.choose(&[[3, -1, 0, 7], [i64::MAX, 0, i64::MIN, 1]]);
        draw.ints_attribute("classlabels_ints", &labels[..count]);
    }
}

/// Removes the labels, or replaces them by labels of both types.
fn bad_labels(draw: &mut Draw) {
    let count = draw.attributes.iter().find(|a| a.name.as_deref().is_some_and(|n| n.starts_with("classlabels")));
    let count = count.map_or(2, |a| a.ints.len().max(a.strings.len()));
    draw.attributes.retain(|a| !a.name.as_deref().is_some_and(|n| n.starts_with("classlabels")));
    if draw.way(2) == 1 {
        draw.ints_attribute("classlabels_ints", &vec![1; count]);
        draw.strings_attribute("classlabels_strings", &vec![b"a".to_vec(); count]);
    }
}

const ORDINARY: &[Values] = &[Values::Integers, Values::Moderate, Values::Around(-1.0, 1.0), Values::Mostly(-4.0, 4.0)];

fn coefficients(draw: &mut Draw, name: &str, count: usize) {
    let values = draw.choose(&[Values::Integers, Values::Moderate, Values::Between(-1.0, 1.0)]);
    let list = floats(draw, count, values);
    draw.floats_attribute(name, &list);
}

/// Returns the length of a list of floats.
fn given_floats(draw: &Draw, name: &str) -> usize {
    draw.attributes.iter().find(|a| a.name.as_deref() == Some(name)).map_or(0, |a| a.floats.len())
}

/// Replaces an attribute by another list of floats.
fn instead(draw: &mut Draw, name: &str, list: &[f32]) {
    draw.attributes.retain(|a| a.name.as_deref() != Some(name));
    draw.floats_attribute(name, list);
}

fn string_instead(draw: &mut Draw, name: &str, value: &str) {
    draw.attributes.retain(|a| a.name.as_deref() != Some(name));
    draw.string_attribute(name, value);
}

/// Replaces the input by one of rank 3 or 0.
fn other_rank(draw: &mut Draw) {
    let dtype = draw.input_dtype("X");
    let shape = draw.way_of(&[vec![1, 2, 1], vec![]]);
    let x = draw.elements(dtype, &shape, Values::Integers);
    draw.replace_last_input(x);
}

fn regressor(draw: &mut Draw) -> usize {
    let features = examples(draw, false, ORDINARY);
    let mut targets = 1;
    if draw.give_attribute("targets") {
        targets = draw.choose(&[2, 3, 1]);
        draw.int_attribute("targets", targets as i64);
    }
    if targets == 1 {
        draw.feature("a single target");
    }
    coefficients(draw, "coefficients", targets * features);
    if draw.give_attribute("intercepts") {
        coefficients(draw, "intercepts", targets);
    }
    features
}

pub fn linear_regressor(draw: &mut Draw) {
    regressor(draw);
    transform(draw);
}

pub fn linear_regressor_rank_one_or_two(draw: &mut Draw) {
    regressor(draw);
    other_rank(draw);
}

pub fn linear_regressor_coefficients_fit(draw: &mut Draw) {
    let features = regressor(draw);
    let targets = draw.attributes.iter().find(|a| a.name.as_deref() == Some("targets")).and_then(|a| a.i).unwrap_or(1);
    let count = draw.other_extent(targets as usize * features);
    instead(draw, "coefficients", &vec![1.0; count]);
}

pub fn linear_regressor_intercepts_fit(draw: &mut Draw) {
    regressor(draw);
    let targets = draw.attributes.iter().find(|a| a.name.as_deref() == Some("targets")).and_then(|a| a.i).unwrap_or(1);
    let count = draw.other_extent(targets as usize);
    instead(draw, "intercepts", &vec![1.0; count]);
}

pub fn linear_regressor_post_transform_known(draw: &mut Draw) {
    regressor(draw);
    draw.string_attribute("post_transform", "SOFTPLUS");
}

/// Gives a classifier of several classes with a row of coefficients for each; one in three classifiers of two classes
/// has a single row. Returns the number of features.
fn classifier(draw: &mut Draw) -> usize {
    let features = examples(draw, true, ORDINARY);
    let classes = draw.choose(&[3, 2, 4]);
    let mut lines = classes;
    if classes == 2 && draw.once_in(3) {
        draw.feature("one row for two classes");
        lines = 1;
    }
    labels(draw, classes);
    coefficients(draw, "coefficients", lines * features);
    // Without intercepts the labels and scores are left open. That takes effect only if there are examples, so they are
    // always given without examples.
    let none = draw.inputs.iter().filter_map(|i| i.value.as_ref()?.as_tensor()).any(plumbline_tensor::Tensor::is_empty);
    if none || !draw.once_in(6) {
        coefficients(draw, "intercepts", lines);
    }
    features
}

pub fn linear_classifier(draw: &mut Draw) {
    classifier(draw);
    transform(draw);
    if draw.give_attribute("multi_class") {
        let several = draw.choose(&[0, 0, 0, 1]);
        draw.int_attribute("multi_class", several);
    }
}

pub fn linear_classifier_rank_one_or_two(draw: &mut Draw) {
    classifier(draw);
    other_rank(draw);
}

pub fn linear_classifier_one_label_list_given(draw: &mut Draw) {
    classifier(draw);
    bad_labels(draw);
}

pub fn linear_classifier_coefficients_fit(draw: &mut Draw) {
    let features = classifier(draw);
    let count = given_floats(draw, "coefficients");
    // With one feature, two classes may have one coefficient or two, so only more than that is invalid.
    let count = if features == 1 { count.max(2) + 1 } else { draw.way_of(&[count + 1, count - 1]) };
    instead(draw, "coefficients", &vec![1.0; count]);
}

pub fn linear_classifier_intercepts_fit(draw: &mut Draw) {
    let features = classifier(draw);
    let lines = given_floats(draw, "coefficients") / features.max(1);
    let count = draw.other_extent(lines.max(1));
    instead(draw, "intercepts", &vec![1.0; count]);
}

pub fn linear_classifier_post_transform_known(draw: &mut Draw) {
    classifier(draw);
    draw.string_attribute("post_transform", "SOFTPLUS");
}

/// Features of moderate size, because kernels multiply them.
const SMALL: &[Values] = &[Values::Integers, Values::Around(-2.0, 2.0)];

/// Gives the kernel and its parameters.
fn kernel(draw: &mut Draw) {
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

fn machine(draw: &mut Draw) -> usize {
    let features = examples(draw, false, SMALL);
    kernel(draw);
    if draw.give_attribute("n_supports") {
        let supports = draw.choose(&[2, 1, 4]);
        draw.int_attribute("n_supports", supports as i64);
        let vectors = floats(draw, supports * features, Values::Between(-2.0, 2.0));
        draw.floats_attribute("support_vectors", &vectors);
        coefficients(draw, "coefficients", supports);
    } else {
        draw.feature("without support vectors");
        coefficients(draw, "coefficients", features);
    }
    coefficients(draw, "rho", 1);
    features
}

pub fn svm_regressor(draw: &mut Draw) {
    machine(draw);
    // The specification leaves transforms of a single score open.
    if draw.give_attribute("post_transform") {
        let transform = draw.choose(&["NONE", "NONE", "LOGISTIC"]);
        draw.string_attribute("post_transform", transform);
    }
    if draw.give_attribute("one_class") {
        let one = draw.choose(&[1, 0]);
        draw.int_attribute("one_class", one);
    }
}

pub fn svm_regressor_rank_one_or_two(draw: &mut Draw) {
    machine(draw);
    other_rank(draw);
}

pub fn svm_regressor_kernel_type_known(draw: &mut Draw) {
    machine(draw);
    if draw.way(2) == 1 {
        string_instead(draw, "kernel_type", "GAUSS");
    } else {
        let params = draw.way_of(&[&[0.5, 0.5][..], &[0.5; 4], &[0.5]]);
        instead(draw, "kernel_params", params);
    }
}

pub fn svm_regressor_model_sizes_fit(draw: &mut Draw) {
    machine(draw);
    let name = draw.way_of(&["coefficients", "support_vectors"]);
    let name = if given_floats(draw, name) == 0 { "coefficients" } else { name };
    let count = given_floats(draw, name);
    let count = draw.other_extent(count);
    instead(draw, name, &vec![1.0; count]);
}

pub fn svm_regressor_rho_is_scalar(draw: &mut Draw) {
    machine(draw);
    let count = draw.way_of(&[0, 2]);
    instead(draw, "rho", &vec![1.0; count]);
}

pub fn svm_regressor_post_transform_known(draw: &mut Draw) {
    machine(draw);
    draw.string_attribute("post_transform", "SOFTPLUS");
}

/// Gives an SVM classifier of two or three classes, and returns the number of pairs of classes. With more than three
/// classes, sources disagree on whether there is a score for each class or for each pair.
fn machines(draw: &mut Draw) -> usize {
    let features = examples(draw, false, SMALL);
    let classes = draw.choose(&[3, 2]);
    kernel(draw);
    labels(draw, classes);
    let pairs = classes * (classes - 1) / 2;
    if draw.once_in(3) {
        draw.feature("without support vectors");
        draw.ints_attribute("vectors_per_class", &vec![0; classes]);
        draw.floats_attribute("support_vectors", &[]);
        coefficients(draw, "coefficients", classes * features);
        coefficients(draw, "rho", 1);
        return pairs;
    }
    let counts: Vec<i64> = (0..classes).map(|_| draw.range(1..=2)).collect();
    let total = counts.iter().sum::<i64>() as usize;
    draw.ints_attribute("vectors_per_class", &counts);
    let vectors = floats(draw, total * features, Values::Between(-2.0, 2.0));
    draw.floats_attribute("support_vectors", &vectors);
    coefficients(draw, "coefficients", (classes - 1) * total);
    coefficients(draw, "rho", pairs);
    pairs
}

pub fn svm_classifier(draw: &mut Draw) {
    let pairs = machines(draw);
    transform(draw);
    // If no sentence fixes a probability, its probit may be any number, so these cases get no probabilities.
    let open = ["without support vectors", "PROBIT"];
    if !draw.features.iter().any(|f| open.contains(&f.as_str())) && draw.give() {
        let a = floats(draw, pairs, Values::Between(-2.0, -0.5));
        let b = floats(draw, pairs, Values::Between(-0.5, 0.5));
        draw.floats_attribute("prob_a", &a);
        draw.floats_attribute("prob_b", &b);
    }
}

pub fn svm_classifier_rank_one_or_two(draw: &mut Draw) {
    machines(draw);
    other_rank(draw);
}

pub fn svm_classifier_one_label_list_given(draw: &mut Draw) {
    machines(draw);
    bad_labels(draw);
}

pub fn svm_classifier_kernel_type_known(draw: &mut Draw) {
    machines(draw);
    if draw.way(2) == 1 {
        string_instead(draw, "kernel_type", "GAUSS");
    } else {
        let params = draw.way_of(&[&[0.5, 0.5][..], &[0.5; 4], &[0.5]]);
        instead(draw, "kernel_params", params);
    }
}

pub fn svm_classifier_model_sizes_fit(draw: &mut Draw) {
    machines(draw);
    let list = draw.way_of(&["coefficients", "rho"]);
    let count = given_floats(draw, list);
    let count = draw.way_of(&[count + 1, count - 1, 0]);
    instead(draw, list, &vec![1.0; count]);
}

pub fn svm_classifier_post_transform_known(draw: &mut Draw) {
    machines(draw);
    draw.string_attribute("post_transform", "SOFTPLUS");
}

pub fn svm_classifier_probability_lists_fit(draw: &mut Draw) {
    let pairs = machines(draw);
    let [a, b] = draw.way_of(&[[1, 0], [0, 1], [-1, 0], [0, -1], [1, 1]]);
    draw.floats_attribute("prob_a", &vec![-1.0; pairs.saturating_add_signed(a)]);
    draw.floats_attribute("prob_b", &vec![0.0; pairs.saturating_add_signed(b)]);
}

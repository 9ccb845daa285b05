//! Draws each kernel with and without support vectors.

use crate::families::{linear_model, traditional};
use crate::prelude::*;

fn model(draw: &mut Draw) -> usize {
    let features = linear_model::examples(draw, false, linear_model::MODERATE_SIZE);
    linear_model::kernel(draw);
    if draw.give_attribute("n_supports") {
        let supports = draw.choose(&[2, 1, 4]);
        draw.int_attribute("n_supports", supports as i64);
        let vectors = traditional::floats(draw, supports * features, Values::Between(-2.0, 2.0));
        draw.floats_attribute("support_vectors", &vectors);
        linear_model::coefficients(draw, "coefficients", supports);
    } else {
        draw.feature("without support vectors");
        linear_model::coefficients(draw, "coefficients", features);
    }
    linear_model::coefficients(draw, "rho", 1);
    features
}

pub fn svm_regressor(draw: &mut Draw) {
    model(draw);
    // The specification leaves open what a transform does to a single score, so most cases have none.
    if draw.give_attribute("post_transform") {
        let transform = draw.choose(&["NONE", "NONE", "LOGISTIC"]);
        draw.string_attribute("post_transform", transform);
    }
    if draw.give_attribute("one_class") {
        let one = draw.choose(&[1, 0]);
        draw.int_attribute("one_class", one);
    }
}

pub fn rank_one_or_two(draw: &mut Draw) {
    model(draw);
    linear_model::wrong_rank(draw);
}

pub fn kernel_type_known(draw: &mut Draw) {
    model(draw);
    linear_model::wrong_kernel(draw);
}

pub fn model_sizes_fit(draw: &mut Draw) {
    model(draw);
    let name = draw.way_of(&["coefficients", "support_vectors"]);
    let name = if linear_model::float_count(draw, name) == 0 { "coefficients" } else { name };
    let count = linear_model::float_count(draw, name);
    let count = draw.other_extent(count);
    linear_model::replace_floats(draw, name, &vec![1.0; count]);
}

pub fn rho_is_scalar(draw: &mut Draw) {
    model(draw);
    let count = draw.way_of(&[0, 2]);
    linear_model::replace_floats(draw, "rho", &vec![1.0; count]);
}

pub fn post_transform_known(draw: &mut Draw) {
    model(draw);
    draw.string_attribute("post_transform", "SOFTPLUS");
}

//! Draws logarithms of probabilities, with weights, ignored labels, and each reduction.

use crate::families::loss;
use crate::prelude::*;

pub fn negative_log_likelihood_loss(draw: &mut Draw) {
    loss::loss(draw, &[Values::Between(-4.0, 0.0), Values::Integers, Values::Moderate, Values::Mostly(-4.0, 0.0)]);
}

pub fn label_shape_fits(draw: &mut Draw) {
    loss::label_shape_fits(draw);
}

pub fn class_weights_fit(draw: &mut Draw) {
    loss::class_weights_fit(draw);
}

pub fn labels_in_range(draw: &mut Draw) {
    loss::labels_in_range(draw);
}

pub fn reduction_known(draw: &mut Draw) {
    loss::reduction_known(draw);
}

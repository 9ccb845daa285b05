//! Draws scores of either sign, with weights, ignored labels, and each reduction.

use crate::families::loss;
use crate::prelude::*;

pub fn softmax_cross_entropy_loss(draw: &mut Draw) {
    loss::loss(draw, &[Values::Between(-4.0, 4.0), Values::Integers, Values::Moderate, Values::Mostly(-4.0, 4.0)]);
    let log_prob = draw.flag();
    draw.outputs(&[true, log_prob]);
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

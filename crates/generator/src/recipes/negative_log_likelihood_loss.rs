//! Draws numbers between -4 and 0, as logarithms of probabilities are, or numbers of either sign, with weights, ignored
//! labels, and each reduction.

use crate::families::loss;
use crate::prelude::*;

pub use crate::families::loss::{class_weights_fit, label_shape_fits, labels_in_range, reduction_known};

pub fn negative_log_likelihood_loss(draw: &mut Draw) {
    loss::loss(draw, &[Values::Between(-4.0, 0.0), Values::Integers, Values::Moderate, Values::Mostly(-4.0, 0.0)]);
}

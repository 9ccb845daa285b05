use crate::families::loss::loss;
use crate::prelude::*;

/// NegativeLogLikelihoodLoss-12, -13, -22: one meaning; 22 adds bfloat16. Shapes: C1; weights: C2; labels: C3; reduction: C4.
/// The mean where labels are ignored: B3; of nothing: B4.
pub fn negative_log_likelihood_loss(call: &Call) -> Answer {
    one(loss(call, call.tensor("input")?, "target", "weight")?)
}

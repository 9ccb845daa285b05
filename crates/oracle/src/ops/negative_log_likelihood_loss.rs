use crate::families::loss::loss;
use crate::prelude::*;

/// NegativeLogLikelihoodLoss-12, -13, -22: one meaning; 22 adds bfloat16. Shapes: `label-shape-fits`; weights: `class-weights-fit`; labels:
/// `labels-in-range`; reduction: `reduction-known`. The mean where labels are ignored: `unweighted-mean`; of nothing: `empty-mean`.
pub fn negative_log_likelihood_loss(call: &Call) -> Answer {
    one(loss(call, call.tensor("input")?, "target", "weight")?)
}

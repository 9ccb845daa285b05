use crate::families::loss::loss;
use crate::prelude::*;

/// Computes the negative log likelihood loss: minus the log-probability of the label of each sample, weighted by class,
/// and optionally reduced to a sum or mean.
///
/// Versions 12, 13 and 22 have the same meaning; version 22 adds bfloat16. Constraints: the shapes
/// (`label-shape-fits`), the weights (`class-weights-fit`), the labels (`labels-in-range`), and the reduction
/// (`reduction-known`). Losses whose label is ignored: `ignored-labels`; the mean if labels are ignored:
/// `unweighted-mean`; the mean of no losses: `empty-mean`.
pub fn negative_log_likelihood_loss(call: &Call) -> Answer {
    one(loss(call, call.tensor("input")?, "target", "weight")?)
}

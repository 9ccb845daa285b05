use super::log_softmax::log_shares;
use crate::families::loss::loss;
use crate::families::select::lanes;
use crate::prelude::*;

/// Computes the cross-entropy loss: minus the logarithm of the softmax at the label of each sample, weighted by class,
/// and optionally reduced to a sum or mean.
///
/// Versions 12 and 13 have the same meaning; version 13 adds bfloat16. Constraints: the shapes (`label-shape-fits`),
/// the weights (`class-weights-fit`), the labels (`labels-in-range`), and the reduction (`reduction-known`).
/// Infinities: `infinity`; a softmax that underflows: `underflow`; losses whose label is ignored: `ignored-labels`; the
/// mean if labels are ignored: `unweighted-mean`; the mean of no losses: `empty-mean`.
pub fn softmax_cross_entropy_loss(call: &Call) -> Answer {
    let scores = call.tensor("scores")?;
    if scores.rank() < 2 {
        return Err(Refusal::violates(
            rule::LABEL_SHAPE_FITS,
            format!("the scores have shape {:?}, which has no axis of classes", scores.shape()),
        ));
    }
    let mut numbers: Vec<Number> = scores.numbers().collect();
    for lane in lanes(scores.shape(), 1).filter(|lane| !lane.is_empty()) {
        let row: Vec<Number> = lane.iter().map(|&i| scores.number(i)).collect();
        lane.into_iter().zip(log_shares(&row)).for_each(|(i, share)| numbers[i] = share);
    }
    let log_prob = Expected::from_numbers(scores.dtype(), scores.shape().to_vec(), numbers)?;
    several([loss(call, &log_prob, "labels", "weights")?, log_prob])
}

use crate::families::tree_attributes::{EnsembleKind, read, tally};
use crate::prelude::*;

/// Predicts targets with an ensemble of decision trees whose leaves vote for targets.
///
/// Versions 1 and 3 have the same meaning; version 3 adds tensors of doubles as an alternative to the lists of floats.
///
/// Constraints: the rank of `X` (`rank-two`), lists of equal length for the nodes (`node-lists-equal-length`) and for
/// the votes (`vote-lists-equal-length`), unique node ids within a tree (`node-ids-unique`), branches and votes that
/// name existing nodes (`branches-form-trees`), feature indices (`features-in-range`), modes (`node-modes-known`),
/// targets (`votes-in-range`), base values (`base-values-fit`), a list of floats or the tensor that may replace it but
/// not both (`floats-or-doubles-given`), and the names of transforms and aggregate functions
/// (`attribute-values-known`).
///
/// Integers and doubles close to a threshold: `threshold-precision`; the divisor of averages: `average-divisor`;
/// targets without a vote: `no-votes`; transforms: `post-transform`; NaN: `nan`; the step that adds the base values:
/// `base-value-order`.
pub fn tree_ensemble_regressor(call: &Call) -> Answer {
    let forest = read(call, EnsembleKind::Regressor)?;
    let x = call.tensor("X")?;
    let tally = tally(call, EnsembleKind::Regressor, &forest)?;
    shape::affordable(&[x.extent(0), tally.targets])?;
    let mut scores = Vec::new();
    for (votes, others) in forest.votes(x, call.has_attribute("nodes_values")) {
        let (_, row) = tally.float_scores(&votes);
        match others.map(|others| tally.float_scores(&others).1) {
            Some(others) => {
                scores.extend(row.into_iter().zip(others).map(|(y, other)| y.or(other, rule::THRESHOLD_PRECISION)))
            }
            None => scores.extend(row),
        }
    }
    call.answer_as(DType::Float, vec![x.extent(0), tally.targets], scores)
}

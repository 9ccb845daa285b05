use crate::families::tree_attributes::{Kind, read, tally};
use crate::prelude::*;

/// TreeEnsembleRegressor-1, -3: one meaning; 3 adds tensors of doubles in place of lists of floats. Rank: `rank-two`; lists of nodes:
/// `node-lists-equal-length`; of votes: `vote-lists-equal-length`; each node once: `node-ids-unique`; branches and votes name nodes:
/// `branches-form-trees`; features: `features-in-range`; modes: `node-modes-known`; targets: `votes-in-range`; base values: `base-values-fit`; a list
/// or its tensor: `floats-or-doubles-given`; names of transforms and aggregates: `attribute-values-known`. Integers and doubles next to a threshold:
/// `threshold-precision`; averages: `average-divisor`; no vote: `no-votes`; transforms: `post-transform`; NaN: `nan`; base values:
/// `base-value-order`.
pub fn tree_ensemble_regressor(call: &Call) -> Answer {
    let forest = read(call, Kind::Regressor)?;
    let x = call.tensor("X")?;
    let tally = tally(call, Kind::Regressor, &forest)?;
    shape::affordable(&[x.extent(0), tally.targets])?;
    let mut scores = Vec::new();
    for (votes, others) in forest.votes(x, call.has_attribute("nodes_values")) {
        let (_, row) = tally.float_scores(&votes);
        match others.map(|others| tally.float_scores(&others).1) {
            Some(others) => scores
                .extend(row.into_iter().zip(others).map(|(y, other)| y.or_other(other, rule::THRESHOLD_PRECISION))),
            None => scores.extend(row),
        }
    }
    call.answer_as(DType::Float, vec![x.extent(0), tally.targets], scores)
}

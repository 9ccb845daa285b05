use crate::families::tree_attributes::{Kind, read, tally};
use crate::prelude::*;

/// TreeEnsembleRegressor-1, -3: one meaning; 3 adds tensors of doubles in place of lists of floats. Rank: C1; lists of nodes: C2; of votes: C3;
/// each node once: C4; branches and votes name nodes: C5; features: C6; modes: C7; targets: C8; base values: C9; a list or its tensor: C10;
/// names of transforms and aggregates: C11. Integers and doubles next to a threshold: B1; averages: B2; no vote: B3; transforms: B4;
/// NaN: B5; base values: B6.
pub fn tree_ensemble_regressor(call: &Call) -> Answer {
    let forest = read(call, Kind::Regressor)?;
    let x = call.tensor("X")?;
    let tally = tally(call, Kind::Regressor, &forest)?;
    shape::affordable(&[x.extent(0), tally.targets])?;
    let mut scores = Vec::new();
    for (votes, others) in forest.votes(x, call.has_attribute("nodes_values")) {
        let (_, row) = tally.float_scores(&votes);
        match others.map(|others| tally.float_scores(&others).1) {
            Some(others) => scores.extend(row.into_iter().zip(others).map(|(y, other)| y.or_other(other, B1))),
            None => scores.extend(row),
        }
    }
    call.answer_as(DType::Float, vec![x.extent(0), tally.targets], scores)
}

use crate::families::classes::{Classes, Decision, of_one_score};
use crate::families::tree_attributes::{Kind, read, tally};
use crate::families::trees::Vote;
use crate::prelude::*;

/// TreeEnsembleClassifier-1, -3: one meaning; 3 adds tensors of doubles in place of lists of floats. Rank: C1; lists of nodes: C2; of votes: C3;
/// one list of labels: C4; branches and votes name nodes: C5; features: C6; modes: C7; classes: C8; base values: C9; a list or its tensor: C10;
/// names of transforms: C11. Integers and doubles next to a threshold: B1; ties: B2; two classes, votes for one: B3; transforms: B4;
/// NaN: B5; base values: B6.
pub fn tree_ensemble_classifier(call: &Call) -> Answer {
    let classes = Classes::read(call, "classlabels_int64s", C4)?;
    let forest = read(call, Kind::Classifier)?;
    let x = call.tensor("X")?;
    let tally = tally(call, Kind::Classifier, &forest)?;
    let voted: Vec<usize> = forest.leaves.iter().flatten().map(|(class, _)| *class).collect();
    // With votes for one of two classes the scores may be those of a binary classifier.
    let binary = tally.targets < 2 || tally.targets == 2 && voted.iter().all(|&class| Some(&class) == voted.first());
    let decided = |votes: &[Vote]| {
        let (raw, transformed) = tally.float_scores(votes);
        if !binary {
            return Decision { raw, transformed, open: None };
        }
        // The score may be that of the second class, whichever class has the votes; the other one has its negative, or 1 less it (B3).
        let class = voted.first().copied().unwrap_or(0);
        let score = raw.get(class).copied().unwrap_or(Number::constant(0.0, DType::Float));
        let pair = of_one_score(score, |scores| tally.transform.of(scores, B4), B3);
        let open = |(i, y): (usize, Number)| match pair.get(i) {
            Some(&other) if tally.targets == 2 => y.or_other(other, B3).or_other(pair[1 - i], B3),
            Some(&other) => y.or_other(other, B3).or_other(pair[1], B3),
            None => y,
        };
        Decision { raw, transformed: transformed.into_iter().enumerate().map(open).collect(), open: Some(B3) }
    };
    let mut rows = Vec::new();
    for (votes, others) in forest.votes(x, call.has_attribute("nodes_values")) {
        let decision = decided(&votes);
        rows.push(match others {
            Some(others) => decision.or(decided(&others), B1),
            None => decision,
        });
    }
    classes.answer(rows, tally.targets, B2)
}

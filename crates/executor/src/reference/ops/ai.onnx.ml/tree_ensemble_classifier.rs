use crate::reference::families::classes::{Classes, Decision};
use crate::reference::families::tree_attributes::{Kind, read, tally};
use crate::reference::prelude::*;

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
    let mut rows = Vec::new();
    for (votes, open) in forest.votes(x, call.has_attribute("nodes_values")) {
        let (raw, transformed) = tally.float_scores(&votes);
        let open = if binary { Some(B3) } else { open.then_some(B1) };
        rows.push(Decision { raw, transformed, open });
    }
    classes.answer(rows, tally.targets, B2)
}

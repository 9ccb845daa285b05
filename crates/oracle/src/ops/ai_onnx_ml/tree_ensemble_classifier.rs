use crate::families::classes::{Classes, Decision, of_one_score, winners_of_one_score};
use crate::families::tree_attributes::{EnsembleKind, read, tally};
use crate::families::trees::Vote;
use crate::prelude::*;

/// Classifies each row with an ensemble of decision trees whose leaves vote for classes.
///
/// Versions 1 and 3 have the same meaning; version 3 adds tensors of doubles as an alternative to the lists of floats.
///
/// Constraints: the rank of `X` (`rank-two`), lists of equal length for the nodes (`node-lists-equal-length`) and for
/// the votes (`vote-lists-equal-length`), one list of labels (`one-label-list-given`), branches and votes that name
/// existing nodes (`branches-form-trees`), feature indices (`features-in-range`), modes (`node-modes-known`), classes
/// (`votes-in-range`), base values (`base-values-fit`), a list of floats or the tensor that may replace it but not both
/// (`floats-or-doubles-given`), and the names of transforms (`attribute-values-known`).
///
/// Integers and doubles close to a threshold: `threshold-precision`; equal scores: `ties`; two classes with votes for
/// only one of them: `binary-scores`; transforms: `post-transform`; NaN: `nan`; the step that adds the base values:
/// `base-value-order`.
pub fn tree_ensemble_classifier(call: &Call) -> Answer {
    let classes = Classes::read(call, "classlabels_int64s", rule::ONE_LABEL_LIST_GIVEN)?;
    let forest = read(call, EnsembleKind::Classifier)?;
    let x = call.tensor("X")?;
    let tally = tally(call, EnsembleKind::Classifier, &forest)?;
    let voted: Vec<usize> = forest.leaves.iter().flatten().map(|(class, _)| *class).collect();
    // With votes for only one of two classes, the scores may be those of a binary classifier.
    let binary = tally.targets < 2 || tally.targets == 2 && voted.iter().all(|&class| Some(&class) == voted.first());
    let decided = |votes: &[Vote]| {
        let (raw, transformed) = tally.float_scores(votes);
        if !binary {
            return Decision { raw, transformed, open: None };
        }
        // The score may belong to the second class, whichever class the votes name. The other class then gets the
        // negated score or 1 minus the score (`binary-scores`).
        let class = voted.first().copied().unwrap_or(0);
        let score = raw.get(class).copied().unwrap_or(Number::constant(0.0, DType::Float));
        let pair =
            of_one_score(score, |scores| tally.transform.apply(scores, rule::POST_TRANSFORM), rule::BINARY_SCORES);
        let open = |(i, y): (usize, Number)| match pair.get(i) {
            Some(&other) if tally.targets == 2 => y.or(other, rule::BINARY_SCORES).or(pair[1 - i], rule::BINARY_SCORES),
            Some(&other) => y.or(other, rule::BINARY_SCORES).or(pair[1], rule::BINARY_SCORES),
            None => y,
        };
        Decision {
            raw,
            transformed: transformed.into_iter().enumerate().map(open).collect(),
            open: Some((rule::BINARY_SCORES, winners_of_one_score(score))),
        }
    };
    let mut rows = Vec::new();
    for (votes, others) in forest.votes(x, call.has_attribute("nodes_values")) {
        let decision = decided(&votes);
        rows.push(match others {
            Some(others) => decision.or(decided(&others), rule::THRESHOLD_PRECISION),
            None => decision,
        });
    }
    classes.answer(rows, tally.targets, rule::TIES)
}

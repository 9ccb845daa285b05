use crate::families::classes::{Classes, Decision, of_one_score, winners_of_one_score};
use crate::families::linear::{dot, examples};
use crate::families::post_transform::PostTransform;
use crate::families::traditional::in_float;
use crate::prelude::*;

/// Scores each class with the dot product of the features and its coefficients, plus its intercept, and returns the
/// label of the best class and the scores.
///
/// The only version is 1. Constraints: the rank of `X` (`rank-one-or-two`), one list of labels
/// (`one-label-list-given`), the numbers of coefficients (`coefficients-fit`) and of intercepts (`intercepts-fit`), and
/// the name of the transform (`post-transform-known`). Post transforms: `post-transform`; equal scores: `ties`; two
/// classes with one row of coefficients: `binary-scores`; `multi_class`: `multi-class`; a model without intercepts:
/// `omitted-intercepts`.
///
/// Values of `multi_class` other than 0 and 1: `other-flag-values`.
pub fn linear_classifier(call: &Call) -> Answer {
    let (rows, features) = examples(call.tensor("X")?, rule::RANK_ONE_OR_TWO)?;
    let classes = Classes::read(call, "classlabels_ints", rule::ONE_LABEL_LIST_GIVEN)?;
    let coefficients = call.optional_float_list("coefficients").unwrap_or_default();
    let count = classes.count();
    let binary = count == 2 && coefficients.len() == features;
    let lines = if binary { 1 } else { count };
    if count == 0 || features == 0 || Some(coefficients.len()) != lines.checked_mul(features) {
        let message = format!("{} coefficients do not fit {count} classes and {features} features", coefficients.len());
        return Err(Refusal::violates(rule::COEFFICIENTS_FIT, message));
    }
    let intercepts = call.optional_float_list("intercepts");
    if intercepts.as_ref().is_some_and(|i| i.len() != lines) {
        return Err(Refusal::violates(rule::INTERCEPTS_FIT, format!("the number of `intercepts` is not {lines}")));
    }
    let transform = PostTransform::named(&call.string("post_transform")?, rule::POST_TRANSFORM_KNOWN)?;
    if intercepts.is_none() {
        call.leaves_open(rule::OMITTED_INTERCEPTS);
    }
    let multinomial = call.flag("multi_class");
    let raw = |row: &[Number]| {
        let score = |c: usize| {
            let own = &coefficients[c * features..(c + 1) * features];
            dot(row, own, intercepts.as_ref().map(|i| i[c]))
        };
        let scores: Vec<Number> = (0..lines).map(score).collect();
        // The single score belongs to the second class; the first class gets the negated score.
        if binary { vec![-scores[0], scores[0]] } else { scores }
    };
    let transformed = |row: &[Number]| {
        let scores = raw(row);
        let given = match scores[..] {
            [_, score] if binary => {
                of_one_score(score, |pair| transform.apply(pair, rule::POST_TRANSFORM), rule::BINARY_SCORES).to_vec()
            }
            _ => transform.apply(&scores, rule::POST_TRANSFORM),
        };
        if !multinomial {
            return given;
        }
        // A multinomial model may return the softmax of its scores as probabilities (`multi-class`).
        let shares = PostTransform::Softmax.apply(&scores, rule::POST_TRANSFORM);
        given.into_iter().zip(shares).map(|(y, share)| y.or(share, rule::MULTI_CLASS)).collect()
    };
    let decision = |row: &Vec<Number>| {
        let raw = in_float(row, raw);
        let open = binary.then(|| (rule::BINARY_SCORES, winners_of_one_score(raw[1])));
        Decision { raw, transformed: in_float(row, transformed), open }
    };
    classes.answer(rows.iter().map(decision).collect(), count, rule::TIES)
}

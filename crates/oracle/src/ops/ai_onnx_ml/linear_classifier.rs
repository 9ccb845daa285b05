use crate::families::classes::{Classes, Decision, of_one_score};
use crate::families::linear::{dot, examples};
use crate::families::post_transform::PostTransform;
use crate::families::traditional::in_float;
use crate::prelude::*;

/// LinearClassifier-1: for each class the dot product with its coefficients, and its intercept. Rank: C1; labels: C2; coefficients: C3;
/// intercepts: C4; transforms: C5. Transforms: B1; ties: B2; two classes with one row of coefficients: B3; `multi_class`: B4; no
/// intercepts: B5.
pub fn linear_classifier(call: &Call) -> Answer {
    let (rows, features) = examples(call.tensor("X")?, C1)?;
    let classes = Classes::read(call, "classlabels_ints", C2)?;
    let coefficients = call.optional_float_list("coefficients").unwrap_or_default();
    let count = classes.count();
    let binary = count == 2 && coefficients.len() == features;
    let lines = if binary { 1 } else { count };
    if count == 0 || features == 0 || Some(coefficients.len()) != lines.checked_mul(features) {
        let message = format!("{} coefficients for {count} classes of {features} features", coefficients.len());
        return Err(Refusal::violates(C3, message));
    }
    let intercepts = call.optional_float_list("intercepts");
    if intercepts.as_ref().is_some_and(|i| i.len() != lines) {
        return Err(Refusal::violates(C4, format!("the intercepts are not {lines}")));
    }
    let transform = PostTransform::named(&call.string("post_transform")?, C5)?;
    if intercepts.is_none() {
        call.leaves_open(B5);
    }
    let multinomial = call.int("multi_class")? != 0;
    let raw = |row: &[Number]| {
        let score = |c: usize| {
            let own = &coefficients[c * features..(c + 1) * features];
            dot(row, own, intercepts.as_ref().map(|i| i[c]))
        };
        let scores: Vec<Number> = (0..lines).map(score).collect();
        // The score is that of the second class; the first one has its negative.
        if binary { vec![-scores[0], scores[0]] } else { scores }
    };
    let transformed = |row: &[Number]| {
        let scores = raw(row);
        let given = match scores[..] {
            [_, score] if binary => of_one_score(score, |pair| transform.of(pair, B1), B3).to_vec(),
            _ => transform.of(&scores, B1),
        };
        if !multinomial {
            return given;
        }
        // A multinomial model may have the softmax of its scores as probabilities: B4.
        let shares = PostTransform::Softmax.of(&scores, B1);
        given.into_iter().zip(shares).map(|(y, share)| y.or_other(share, B4)).collect()
    };
    let decision = |row: &Vec<Number>| Decision {
        raw: in_float(row, raw),
        transformed: in_float(row, transformed),
        open: binary.then_some(B3),
    };
    classes.answer(rows.iter().map(decision).collect(), count, B2)
}

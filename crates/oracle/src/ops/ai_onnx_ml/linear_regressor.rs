use crate::families::linear::{dot, examples};
use crate::families::post_transform::PostTransform;
use crate::families::traditional::in_float;
use crate::prelude::*;

/// Predicts each target with the dot product of the features and its coefficients, plus its intercept.
///
/// The only version is 1. Constraints: the rank of `X` (`rank-one-or-two`), the numbers of coefficients
/// (`coefficients-fit`) and of intercepts (`intercepts-fit`), and the name of the transform (`post-transform-known`).
/// Post transforms: `post-transform`; an input of rank 1: `rank-one-input`.
pub fn linear_regressor(call: &Call) -> Answer {
    let (rows, features) = examples(call.tensor("X")?, rule::RANK_ONE_OR_TWO)?;
    let targets = usize::try_from(call.int("targets")?).unwrap_or(0);
    let coefficients = call.optional_float_list("coefficients").unwrap_or_default();
    if targets == 0 || Some(coefficients.len()) != targets.checked_mul(features) {
        let message =
            format!("{} coefficients do not fit {targets} targets and {features} features", coefficients.len());
        return Err(Refusal::violates(rule::COEFFICIENTS_FIT, message));
    }
    shape::affordable(&[rows.len(), targets])?;
    let intercepts = call.optional_float_list("intercepts");
    if intercepts.as_ref().is_some_and(|i| i.len() != targets) {
        return Err(Refusal::violates(rule::INTERCEPTS_FIT, format!("the number of `intercepts` is not {targets}")));
    }
    let transform = PostTransform::named(&call.string("post_transform")?, rule::POST_TRANSFORM_KNOWN)?;
    let scores = |row: &[Number]| {
        let score = |t: usize| {
            let own = &coefficients[t * features..(t + 1) * features];
            dot(row, own, intercepts.as_ref().map(|i| i[t]))
        };
        transform.apply_to_targets(&(0..targets).map(score).collect::<Vec<_>>(), rule::POST_TRANSFORM)
    };
    let numbers = rows.iter().flat_map(|row| in_float(row, scores));
    call.answer_as(DType::Float, vec![rows.len(), targets], numbers)
}

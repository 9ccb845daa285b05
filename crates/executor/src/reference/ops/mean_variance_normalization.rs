use crate::reference::families::normalization::{Spread, constant, deviation, normalized, open, opened};
use crate::reference::prelude::*;

/// What the function body adds to the deviation.
const EPSILON: f32 = 1e-9;

/// MeanVarianceNormalization-9, -13: one meaning; 13 adds bfloat16. Axes: C1. A variance of zero, and what is added to the deviation: B1;
/// the variance by the function body: B2; squares that overflow: B4.
pub fn mean_variance_normalization(call: &Call) -> Answer {
    let x = call.tensor("X")?;
    let dtype = x.dtype();
    let mut reduced = vec![false; x.rank()];
    for axis in call.int_list("axes")? {
        reduced[call.axis(axis, x.rank(), C1)?] = true;
    }
    let all = reduced.iter().all(|r| !r);
    let kept: Vec<usize> = x.shape().iter().zip(&reduced).map(|(&e, &r)| if r || all { 1 } else { e }).collect();
    let mut groups = vec![vec![]; shape::affordable(&kept)?];
    if !x.is_empty() {
        let targets = shape::broadcast_indices(&kept, x.shape());
        targets.into_iter().enumerate().for_each(|(source, target)| groups[target].push(source));
    }
    let label = open(&[x]);
    let mut y: Vec<Number> = x.numbers().collect();
    let none = Real::constant(0.0, dtype);
    let epsilon = constant(EPSILON, dtype);
    for group in groups.iter().filter(|g| !g.is_empty()) {
        let elements: Vec<Real> = group.iter().map(|&i| x.number(i).real()).collect();
        let spread = Spread::of(&elements, dtype);
        let label = label.or(spread.overflows.then_some(B4));
        for (&i, &element) in group.iter().zip(&elements) {
            let by = |variance: Real, epsilon: Real| {
                normalized(element, spread.mean, deviation(variance, none).plus(epsilon))
            };
            let by_text = Number::from(by(spread.variance, epsilon)).or_computed(by(spread.variance, none), B1);
            let by_body = by(spread.by_moments, epsilon);
            let number = match by_text.latitude {
                Some(_) => by_text.undecided(B1),
                None => by_text.or_computed(by_body, B2),
            };
            y[i] = opened(number, label);
        }
    }
    call.answer(x.shape().to_vec(), y)
}

//! NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss: labels, weights and reduction.
//!
//! Labels are the same in the rules of both: C1 shapes, C2 weights, C3 labels outside of the classes, C4 reduction; B3 the mean where
//! labels are ignored and there are no weights, B4 the mean of nothing, B6 sums that overflow where their quotient does not.

use crate::reference::families::normalization::{open, opened};
use crate::reference::families::reduce::sum_without_overflow;
use crate::reference::prelude::*;

/// The loss of log-probabilities `y` of shape (N, C, d1, ...), given the inputs of labels and weights.
pub fn loss(call: &Call, y: &Expected, labels: &str, weights: &str) -> Result<Expected, Refusal> {
    let dtype = y.dtype();
    let reduction = call.string("reduction")?;
    if !["none", "sum", "mean"].contains(&reduction.as_str()) {
        return Err(Refusal::violates(C4, format!("there is no reduction `{reduction}`")));
    }
    let labels = call.tensor(labels)?;
    let &[samples, classes, ref inner @ ..] = y.shape() else {
        return Err(Refusal::violates(C1, format!("{:?} has no dimension of classes", y.shape())));
    };
    let shape = [&[samples], inner].concat();
    if labels.shape() != shape {
        return Err(Refusal::violates(C1, format!("labels have shape {:?}, not {shape:?}", labels.shape())));
    }
    let weights = call.optional_tensor(weights)?;
    if let Some(w) = weights.filter(|w| w.shape() != [classes]) {
        return Err(Refusal::violates(C2, format!("weights of shape {:?} for {classes} classes", w.shape())));
    }
    if !labels.is_certain() {
        return Err(Refusal::unsupported("labels that are not certain"));
    }
    let ignored = call.optional_int("ignore_index").map(i128::from);
    let each = shape::product(inner)?.max(1);
    let mut losses = Vec::with_capacity(labels.len());
    let mut applied = Vec::with_capacity(labels.len());
    for (i, label) in labels.tensor.to_i128s().into_iter().enumerate() {
        if Some(label) == ignored {
            losses.push(Number::constant(0.0, dtype));
            continue;
        }
        let class = usize::try_from(label).ok().filter(|&c| c < classes);
        let class = class.ok_or_else(|| Refusal::violates(C3, format!("label {label} of {classes} classes")))?;
        let loss = -y.number((i / each * classes + class) * each + i % each).with_any_zero();
        let weight = weights.map(|w| w.number(class));
        losses.push(weight.map_or(loss, |weight| loss * weight));
        applied.push(weight.unwrap_or(Number::constant(1.0, dtype)).real());
    }
    let label = open(&[y]).or(weights.and_then(|w| open(&[w])));
    if reduction == "none" {
        return Expected::from_numbers(dtype, shape, losses.into_iter().map(|l| opened(l, label)));
    }
    let losses: Vec<Real> = losses.iter().map(Number::real).collect();
    let result = match reduction.as_str() {
        "sum" => summed(&losses, dtype).finish().into(),
        _ => mean(&losses, &applied, weights.is_some(), dtype),
    };
    Expected::from_numbers(dtype, vec![], [opened(result, label)])
}

fn summed(terms: &[Real], dtype: DType) -> Accumulator {
    let mut sum = Accumulator::new(dtype);
    terms.iter().for_each(|&x| sum.add(x));
    sum
}

/// The sum divided by the sum of the weights applied, which are 1 where there are none.
fn mean(losses: &[Real], applied: &[Real], weighted: bool, dtype: DType) -> Number {
    let [(scaled, up), (scaled_weights, down)] = [losses, applied].map(|terms| sum_without_overflow(terms, dtype));
    if (up, down) != (0, 0) && scaled_weights.mid != 0.0 {
        let mean = scaled.over(scaled_weights).scaled(up - down).to_dtype(dtype);
        return Number::from(mean).undecided(B6);
    }
    let total = summed(losses, dtype).finish_inside();
    let over = |divisor: Real| total.over(divisor).hull(total.times(Real::constant(1.0, dtype).over(divisor)));
    let weights = match weighted {
        true => summed(applied, dtype).finish_inside(),
        false => Real::constant(applied.len() as f64, dtype),
    };
    if weights.mid == 0.0 {
        return Number::constant(f64::NAN, dtype).undecided(B4);
    }
    let mean = Number::from(over(weights));
    match weighted || applied.len() == losses.len() {
        true => mean,
        false => mean.or_computed(over(Real::constant(losses.len() as f64, dtype)), B3),
    }
}

//! Measures the errors of an answer in usual errors: those that implementations usually make, where the accepted
//! interval has room for the largest ones.
//!
//! An interval has to accept the sum of n terms in any order, and with it an error of n roundings, which all have the
//! same sign. Errors of both signs add up to the square root of n roundings. An accepted answer may therefore be far
//! less accurate than those of others. The ratio says so, and nothing is judged by it.

use plumbline_backend::Observation;
use plumbline_oracle::{Bounds, Expected, Judged, Oracle, Real, aligned};
use plumbline_tensor::{Model, Tensor, Value};

use crate::judge::Judgement;
use crate::right::Right;
use crate::verdict::{FailKind, Verdict};
use crate::wrong::each_tensor;

/// An error is measured if it is larger than this, in ULP. No smaller error is more than four usual ones, because half
/// an ULP is usual everywhere.
const LEAST_ULP: f64 = 2.0;

/// An error is measured if it is larger than this share of the accepted one. A smaller error of a sum is at most an eighth
/// of the square root of the number of terms, which is [`crate::NOTABLE_RATIO`] for 4,096 terms.
const LEAST_SHARE: f64 = 1.0 / 8.0;

/// Returns the ratio of the largest error to the usual error of its element, over the elements of each output. Returns
/// `None` for an output without an error that is worth measuring ([`Judgement::error_ratio`]); the list is empty if no
/// output has one. `judgement` is the judgement of the observation by `right`, which `oracle` computed for the model and
/// its inputs.
pub fn error_ratios(
    judgement: &Judgement,
    oracle: &Oracle,
    (model, inputs): (&Model, &[Value]),
    right: &Right,
    observation: &Observation,
) -> Vec<Option<f64>> {
    let (Right::Outputs { operands, .. }, Observation::Outputs { values, .. }) = (right, observation) else {
        return vec![];
    };
    let is_inaccurate = judgement.kind == Some(FailKind::Inaccurate);
    let is_measured = matches!(judgement.verdict, Verdict::Pass | Verdict::Latitude) || is_inaccurate;
    let is_small = judgement.max_ulp.is_some_and(|ulp| ulp <= LEAST_ULP);
    if !is_measured || is_small || operands.len() != values.len() {
        return vec![];
    }
    let values = aligned(operands, values);
    // The errors of each tensor, by the position of its output.
    let mut large: Vec<(usize, Vec<(usize, f64)>)> = Vec::new();
    for (at, (operand, value)) in operands.iter().zip(values.iter()).enumerate() {
        each_tensor("", operand, value, &mut |_, expected, tensor| {
            large.push((at, large_errors(expected, tensor, is_inaccurate)));
        });
    }
    if large.iter().all(|(_, errors)| errors.is_empty()) {
        return vec![];
    }
    let Ok(usual) = oracle.with_usual_errors().evaluate(model, inputs) else { return vec![] };
    let mut ratios = vec![None; operands.len()];
    let mut large = large.into_iter();
    for (operand, value) in usual.outputs.iter().zip(values.iter()) {
        each_tensor("", operand, value, &mut |_, expected, _| {
            let Some((at, errors)) = large.next() else { return };
            let ratio = |(index, error): (usize, f64)| error.abs() / usual_error(expected, index, error);
            let most = errors.into_iter().map(ratio).filter(|ratio| *ratio > 0.0).reduce(f64::max);
            ratios[at] = ratios[at].into_iter().chain(most).reduce(f64::max);
        });
    }
    ratios
}

/// Returns the index and the signed error of each element that is worth measuring. Wrong elements count only in answers
/// that are inaccurate.
fn large_errors(expected: &Expected, tensor: &Tensor, is_inaccurate: bool) -> Vec<(usize, f64)> {
    let (Some(format), Some(Bounds::Real(reals))) = (expected.dtype().float_format(), &expected.bounds) else {
        return vec![];
    };
    let large = |(index, (real, found)): (usize, (&Real, f64))| {
        let error = found - real.mid;
        let accepted = if error > 0.0 { real.high - real.mid } else { real.mid - real.low };
        let is_large = error.abs() > LEAST_SHARE * accepted && error.abs() > LEAST_ULP * format.ulp(real.mid);
        let counts = || match expected.judge(tensor, index) {
            Judged::Accepted => true,
            Judged::Wrong => is_inaccurate,
            Judged::Latitude(_) => false,
        };
        (error.is_finite() && !real.integral && is_large && counts()).then_some((index, error))
    };
    reals.iter().zip(tensor.to_f64s()).enumerate().filter_map(large).collect()
}

/// Returns the usual error of an element on the side of this error: at least half an ULP. Returns infinity if there is no
/// such element.
fn usual_error(expected: &Expected, index: usize, error: f64) -> f64 {
    if index >= expected.len() {
        return f64::INFINITY;
    }
    let half = |mid: f64| expected.dtype().float_format().map_or(0.0, |format| format.ulp(mid) / 2.0);
    match &expected.bounds {
        Some(Bounds::Real(reals)) => {
            let real = &reals[index];
            half(real.mid).max(if error > 0.0 { real.high - real.mid } else { real.mid - real.low })
        }
        _ => half(expected.tensor.f64_at(index)),
    }
}

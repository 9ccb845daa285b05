//! Outputs that are drawn at random. The oracle judges their type, their shape and the distribution of their elements.
//! A single element is wrong only if its distribution cannot give it.
//!
//! A sample is tested against its distribution. A sample of the right distribution is rejected with a probability of at
//! most [`FALSE_ALARM`], for any size: all bounds hold for every number of elements, not only asymptotically. A small
//! sample therefore passes with almost any elements that are in range.

mod goodness_of_fit;
#[cfg(test)]
mod goodness_of_fit_tests;

use std::sync::Arc;

use plumbline_tensor::{DType, Tensor, Value, element_count};

use super::expected::{Distribution, Expected, Judged};
use super::operand::Operand;
use super::shape;
use crate::{Label, Refusal};

/// The largest probability with which a sample of the right distribution is rejected.
pub const FALSE_ALARM: f64 = 1e-12;

/// A reason to reject a sample: its class, by which similar failures are recognized, and the details.
#[derive(Clone, Debug, PartialEq)]
pub struct Objection {
    /// The class: `range`, `distribution`, ...
    pub class: &'static str,
    /// The details, in words.
    pub detail: String,
}

impl Objection {
    fn new(class: &'static str, detail: String) -> Option<Objection> {
        Some(Objection { class, detail })
    }
}

/// Returns a number in [0, 1) for each seed and place (SplitMix64).
fn unit(seed: u64, place: u64) -> f64 {
    let mut z = seed ^ place.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

impl Distribution {
    /// Returns a sample, which is the same for the same seed: the oracle's example of a correct answer.
    fn sample(&self, dtype: DType, shape: Vec<usize>, seed: u64) -> Result<Tensor, Refusal> {
        let count = element_count(&shape).unwrap_or(0);
        let value = |i: usize| {
            let u = unit(seed, 2 * i as u64);
            match self {
                Distribution::Uniform { low, high } => low + (high - low) * u,
                Distribution::Normal { mean, deviation } => {
                    let turn = 2.0 * std::f64::consts::PI * unit(seed, 2 * i as u64 + 1);
                    mean + deviation * libm::sqrt(-2.0 * libm::log(1.0 - u)) * libm::cos(turn)
                }
                Distribution::Bernoulli { ones, .. } => f64::from(u8::from(u < ones[i])),
                Distribution::Mask { keep } => f64::from(u8::from(u < *keep)),
                Distribution::Classes { rows, samples } => {
                    let row = &rows[i / samples];
                    let mut left = u;
                    let likely = row.iter().rposition(|&p| p > 0.0).unwrap_or(0);
                    let found = row.iter().position(|&p| {
                        left -= p;
                        left < 0.0
                    });
                    found.unwrap_or(likely) as f64
                }
                Distribution::Dropped { kept, dropped, keep } => {
                    let from = if u < *keep { kept } else { dropped };
                    from.tensor.f64_at(i)
                }
            }
        };
        if dtype.is_float() {
            let values: Vec<f64> = (0..count).map(value).collect();
            return Ok(Tensor::from_f64s(dtype, shape, &values)?);
        }
        let values: Vec<i128> = (0..count).map(|i| value(i) as i128).collect();
        Ok(Tensor::from_i128s(dtype, shape, &values)?)
    }

    /// Returns another distribution that the specification may mean, and the behaviour that leaves this open.
    pub fn otherwise(&self) -> Option<(Label, Distribution)> {
        let Distribution::Bernoulli { ones, or_zeros: Some(label) } = self else { return None };
        let ones = ones.iter().map(|p| 1.0 - p).collect();
        Some((*label, Distribution::Bernoulli { ones, or_zeros: None }))
    }

    /// Returns a reason to reject a sample of the right type and shape, if there is one.
    pub fn objection(&self, sample: &Tensor) -> Option<Objection> {
        self.objection_at(sample, FALSE_ALARM)
    }

    /// Returns a reason to reject a sample. A sample of this distribution is rejected with a probability of at most
    /// `false_alarm`.
    fn objection_at(&self, sample: &Tensor, false_alarm: f64) -> Option<Objection> {
        match self {
            Distribution::Uniform { .. } | Distribution::Normal { .. } => {
                goodness_of_fit::continuous(self, sample, false_alarm)
            }
            Distribution::Bernoulli { ones, .. } => goodness_of_fit::binary(sample, |i| ones[i], false_alarm),
            Distribution::Mask { keep } => goodness_of_fit::binary(sample, |_| *keep, false_alarm),
            Distribution::Classes { rows, samples } => goodness_of_fit::classes(sample, rows, *samples, false_alarm),
            Distribution::Dropped { kept, dropped, keep } => {
                let mut told = Vec::new();
                for i in 0..sample.len() {
                    match [kept, dropped].map(|e| e.judge(sample, i) != Judged::Wrong) {
                        [false, false] => {
                            let (kept, dropped) = (kept.describe(i), dropped.describe(i));
                            let is = sample.element_text(i);
                            let detail = format!("element {i} is {is}; if it is kept, {kept}; if dropped, {dropped}");
                            return Objection::new("neither kept nor dropped", detail);
                        }
                        [true, true] => {}
                        [is_kept, _] => told.push((i, is_kept)),
                    }
                }
                goodness_of_fit::flags(&told, "kept", |_| *keep, false_alarm)
            }
        }
    }
}

impl Expected {
    /// Returns a tensor that is drawn from a distribution (`randomness`).
    pub fn drawn(dtype: DType, shape: Vec<usize>, distribution: Distribution, seed: u64) -> Result<Expected, Refusal> {
        shape::affordable(&shape)?;
        let sample = Expected::from(distribution.sample(dtype, shape, seed)?);
        Ok(Expected { random: Some(Arc::new(distribution)), ..sample })
    }
}

/// Returns a reason to reject the outputs of a Dropout taken together: the output drops an element that the mask says
/// is kept, or keeps one that the mask says is dropped.
pub fn together(expected: &[Operand], values: &[Value]) -> Option<Objection> {
    let mut masks = Vec::new();
    let mut outputs = Vec::new();
    for (operand, value) in expected.iter().zip(values) {
        let (Operand::Tensor(expected), Value::Tensor(tensor)) = (operand, value) else { continue };
        let comparable = expected.dtype() == tensor.dtype() && expected.shape() == tensor.shape();
        match expected.random.as_deref() {
            Some(Distribution::Mask { .. }) if comparable => masks.push(tensor),
            Some(Distribution::Dropped { kept, dropped, .. }) if comparable => outputs.push((tensor, kept, dropped)),
            _ => {}
        }
    }
    let ([mask], [(output, kept, dropped)]) = (masks.as_slice(), outputs.as_slice()) else { return None };
    let said = |i: usize| if mask.dtype().is_float() { mask.f64_at(i) != 0.0 } else { mask.i128_at(i) != 0 };
    let wrong = |&i: &usize| (if said(i) { kept } else { dropped }).judge(output, i) == Judged::Wrong;
    let at = (0..output.len().min(mask.len())).find(wrong)?;
    let (is, word) = (output.element_text(at), if said(at) { "kept" } else { "dropped" });
    Objection::new("mask", format!("the mask says that element {at} is {word}, but the output has {is} there"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::floats;

    /// The first element is 0 whether it is kept or dropped, so that it says nothing.
    #[test]
    fn an_element_that_must_not_be_dropped_is_named_by_its_own_index() {
        let expected = |values: &[f32]| Arc::new(Expected::from(floats(&[3], values)));
        let (kept, dropped) = (expected(&[0.0, 1.0, 2.0]), expected(&[0.0; 3]));
        let dropout = Distribution::Dropped { kept, dropped, keep: 1.0 };
        let objection = dropout.objection(&floats(&[3], &[0.0, 1.0, 0.0])).expect("an element is dropped");
        assert_eq!(objection.detail, "element 2 is not kept, which has probability 0");
    }
}

use crate::families::random::{dtype, seed};
use crate::prelude::*;
use crate::random::Distribution;

/// Bernoulli-15, -22: 1 with the probability that the input gives (C1), else 0 (B1), in the type of the input unless `dtype` names another (C2).
pub fn bernoulli(call: &Call) -> Answer {
    let input = call.tensor("input")?;
    if !input.is_certain() {
        return Err(Refusal::unsupported("the probabilities are not certain"));
    }
    let ones = input.tensor.to_f64s();
    if let Some(p) = ones.iter().find(|p| !(0.0..=1.0).contains(*p)) {
        return Err(Refusal::violates(C1, format!("{p} is no probability")));
    }
    let dtype = dtype(call, Some(input.dtype()), C2)?;
    // By the function body it is the probability of 0 (B2).
    let drawn = Distribution::Bernoulli { ones, or_zeros: Some(B2) };
    one(Expected::drawn(dtype, input.shape().to_vec(), drawn, seed(call), B1)?)
}

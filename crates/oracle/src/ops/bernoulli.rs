use crate::expected::Distribution;
use crate::families::random::{dtype, seed};
use crate::prelude::*;

/// Draws 1 with the probability that the input gives, and 0 otherwise (`randomness`).
///
/// Versions 15 and 22 have the same meaning. The output has the type of the input unless `dtype` names another one.
/// Constraints: probabilities in [0, 1] (`probability-in-range`) and the output type (`dtype-allowed`).
pub fn bernoulli(call: &Call) -> Answer {
    let input = call.tensor("input")?;
    if !input.is_certain() {
        return Err(Refusal::unsupported("the oracle accepts more than one value for a probability"));
    }
    let ones = input.tensor.to_f64s();
    if let Some(p) = ones.iter().find(|p| !(0.0..=1.0).contains(*p)) {
        return Err(Refusal::violates(
            rule::PROBABILITY_IN_RANGE,
            format!("{p} is not a probability: it is outside [0, 1]"),
        ));
    }
    let dtype = dtype(call, Some(input.dtype()), rule::DTYPE_ALLOWED)?;
    // In the function body, the input is the probability of 0 (`inverted-probability`).
    let drawn = Distribution::Bernoulli { ones, or_zeros: Some(rule::INVERTED_PROBABILITY) };
    one(Expected::drawn(dtype, input.shape().to_vec(), drawn, seed(call))?)
}

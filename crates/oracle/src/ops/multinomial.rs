use crate::families::random::{dtype, seed};
use crate::prelude::*;
use crate::random::Distribution;

/// Multinomial-7, -22: from each row of unnormalized log-probabilities (C1) `sample_size` classes are drawn (B1, C3), as int32 or int64 (C2).
pub fn multinomial(call: &Call) -> Answer {
    let input = call.tensor("input")?;
    if input.rank() != 2 {
        return Err(Refusal::violates(C1, format!("the input has shape {:?}", input.shape())));
    }
    let dtype = dtype(call, Some(DType::Int32), C2)?;
    let samples = call.int("sample_size")?;
    let samples = usize::try_from(samples).map_err(|_| Refusal::violates(C3, format!("`sample_size` is {samples}")))?;
    if !input.is_certain() {
        return Err(Refusal::unsupported("the probabilities are not certain"));
    }
    let (logs, classes) = (input.tensor.to_f64s(), input.extent(1));
    // Of no class none can be drawn, nor where probabilities are not finite (B2).
    if classes == 0 && samples > 0 && input.extent(0) > 0 || logs.iter().any(|x| !x.is_finite()) || samples == 0 {
        return Err(Refusal::leaves_open(B2, "no finite probabilities, or nothing to draw"));
    }
    let row = |logs: &[f64]| {
        let largest = logs.iter().fold(f64::NEG_INFINITY, |a, &b| a.max(b));
        let weights: Vec<f64> = logs.iter().map(|x| libm::exp(x - largest)).collect();
        let sum: f64 = weights.iter().sum();
        weights.iter().map(|w| w / sum).collect()
    };
    let rows = logs.chunks(classes.max(1)).map(row).collect();
    let shape = vec![input.extent(0), samples];
    one(Expected::drawn(dtype, shape, Distribution::Classes { rows, samples }, seed(call), B1)?)
}

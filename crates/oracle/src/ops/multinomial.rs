use crate::expected::Distribution;
use crate::families::random::{dtype, seed};
use crate::prelude::*;

/// Draws `sample_size` classes from each row of unnormalized log-probabilities (`randomness`).
///
/// Versions 7 and 22 have the same meaning. Constraints: the rank of the input (`rank-two`), `sample_size`
/// (`sample-size-non-negative`), and the output type int32 or int64 (`dtype-allowed`).
pub fn multinomial(call: &Call) -> Answer {
    let input = call.tensor("input")?;
    if input.rank() != 2 {
        return Err(Refusal::violates(
            rule::RANK_TWO,
            format!("the input has shape {:?}, expected rank 2", input.shape()),
        ));
    }
    let dtype = dtype(call, Some(DType::Int32), rule::DTYPE_ALLOWED)?;
    let samples = call.int("sample_size")?;
    let samples = usize::try_from(samples).map_err(|_| {
        Refusal::violates(rule::SAMPLE_SIZE_NON_NEGATIVE, format!("`sample_size` is {samples}, expected 0 or more"))
    })?;
    if !input.is_certain() {
        return Err(Refusal::unsupported("the oracle accepts more than one value for a log-probability"));
    }
    let (logs, classes) = (input.tensor.to_f64s(), input.extent(1));
    // The specification does not say what a log-probability that is not finite, a row without classes or a sample of no
    // elements means (`degenerate-distribution`).
    if classes == 0 && samples > 0 && input.extent(0) > 0 || logs.iter().any(|x| !x.is_finite()) || samples == 0 {
        return Err(Refusal::leaves_open(
            rule::DEGENERATE_DISTRIBUTION,
            "a log-probability is not finite, or there are no classes or no samples",
        ));
    }
    let row = |logs: &[f64]| {
        let largest = logs.iter().fold(f64::NEG_INFINITY, |a, &b| a.max(b));
        let weights: Vec<f64> = logs.iter().map(|x| libm::exp(x - largest)).collect();
        let sum: f64 = weights.iter().sum();
        weights.iter().map(|w| w / sum).collect()
    };
    let rows = logs.chunks(classes.max(1)).map(row).collect();
    let shape = vec![input.extent(0), samples];
    one(Expected::drawn(dtype, shape, Distribution::Classes { rows, samples }, seed(call))?)
}

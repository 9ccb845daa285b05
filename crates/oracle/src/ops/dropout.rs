use std::sync::Arc;

use crate::prelude::*;
use crate::random::Distribution;

/// Dropout-1, -6: random unless `is_test`. Dropout-7, -10: no node says which (`unnamed-mode`). Dropout-12, -13, -22: random with `training_mode`, of
/// a `ratio` that is an input. What is not random is the data itself, bit for bit (`inference`), with a mask of ones from 12 on.
pub fn dropout(call: &Call) -> Answer {
    let data = call.tensor("data")?;
    let since = call.since();
    let (training, ratio) = match since {
        1 | 6 => (call.int("is_test")? == 0, f64::from(call.float("ratio")?)),
        7 | 10 => (false, f64::from(call.float("ratio")?)),
        _ => {
            let training = scalar(call, "training_mode", rule::TRAINING_MODE_IS_SCALAR)?.is_some_and(|t| t != 0.0);
            (training, scalar(call, "ratio", rule::RATIO_IS_SCALAR)?.unwrap_or(0.5))
        }
    };
    // Without training the ratio is ignored.
    let outside = !(0.0..1.0).contains(&ratio);
    if training && outside {
        return Err(Refusal::violates(
            if since < 12 { rule::RATIO_ATTRIBUTE_IN_RANGE } else { rule::RATIO_IN_RANGE },
            format!("`ratio` is {ratio}"),
        ));
    }
    let shape = data.shape().to_vec();
    let mask_dtype = if since < 10 { data.dtype() } else { DType::Bool };
    if !training || ratio == 0.0 {
        let one = Number::constant(1.0, mask_dtype);
        // Before 7 no mask is filled, and before 12 nothing is said of it (`inference-mask`).
        let one = match since {
            ..7 => one.undecided(rule::INFERENCE_MASK),
            7..12 => one.or(Number::constant(0.0, mask_dtype), rule::INFERENCE_MASK),
            _ => one,
        };
        let ones = Expected::from_numbers(mask_dtype, shape, vec![one; data.len()])?;
        return several([data.clone(), ones]);
    }
    let keep = 1.0 - ratio;
    let (one, r) = (Number::constant(1.0, data.dtype()), Number::constant(ratio, data.dtype()));
    // The scale comes at the precision of the ratio, perhaps, and may be divided by at once.
    let own = call.optional_tensor("ratio")?.map_or(data.dtype(), Expected::dtype);
    let (one_of_ratio, ratio_of_ratio) = (Number::constant(1.0, own), Number::constant(ratio, own));
    let scale = one / (one - r);
    let coarse = Real { dtype: data.dtype(), ..(one_of_ratio / (one_of_ratio - ratio_of_ratio)).real() };
    let scaled = |x: Number| either(x * scale, either(x / (one - r), x * Number::from(coarse)));
    let kept: Vec<Number> = data.numbers().map(scaled).collect();
    // What is dropped is multiplied by 0, or replaced by it: where the data is not finite these differ (`infinity-times-zero`).
    let zero = Number::constant(0.0, data.dtype());
    let limit = data.dtype().float_format().map_or(f64::MAX, |f| f.max_finite());
    let finite = |x: &Number| x.mid().is_finite() && x.mid().abs() <= limit;
    let dropped =
        kept.iter().map(|x| if finite(x) { zero } else { zero.or(zero.like(f64::NAN), rule::INFINITY_TIMES_ZERO) });
    let dropped = Expected::from_numbers(data.dtype(), shape.clone(), dropped)?;
    let kept = Expected::from_numbers(data.dtype(), shape.clone(), kept)?;
    let drawn = Distribution::Dropped { kept: Arc::new(kept), dropped: Arc::new(dropped), keep };
    let seed = call.optional_int("seed").unwrap_or(0) as u64;
    several([
        Expected::drawn(data.dtype(), shape.clone(), drawn, seed, rule::RANDOMNESS)?,
        Expected::drawn(mask_dtype, shape, Distribution::Mask { keep }, seed, rule::RANDOMNESS)?,
    ])
}

/// A scalar input (`label`), where it is given.
fn scalar(call: &Call, name: &str, label: Label) -> Result<Option<f64>, Refusal> {
    let Some(tensor) = call.optional_tensor(name)? else { return Ok(None) };
    if tensor.rank() != 0 {
        return Err(Refusal::violates(label, format!("`{name}` has shape {:?}", tensor.shape())));
    }
    if !tensor.is_certain() {
        return Err(Refusal::unsupported(format!("input `{name}` steers the operator and is not certain")));
    }
    Ok(Some(if tensor.dtype().is_float() { tensor.tensor.f64_at(0) } else { tensor.tensor.i128_at(0) as f64 }))
}

/// Both ways of computing a number are right.
fn either(a: Number, b: Number) -> Number {
    let (x, y) = (a.real(), b.real());
    if x.mid.is_nan() || y.mid.is_nan() {
        return a;
    }
    Real { low: x.low.min(y.low), high: x.high.max(y.high), ..x }.into()
}

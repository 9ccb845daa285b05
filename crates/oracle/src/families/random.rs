//! What operators that draw their output share.

use plumbline_spec::TypeStr;

use crate::prelude::*;
use crate::random::Distribution;

/// The type of the output: `dtype`, or else `fallback`; one that the output may have (`label`).
pub fn dtype(call: &Call, fallback: Option<DType>, label: Label) -> Result<DType, Refusal> {
    let named = call.optional_int("dtype");
    let dtype = match named {
        Some(code) => DType::from_code(code),
        None => fallback,
    };
    let formal = call.version().outputs.first();
    let types = formal.map(|f| call.version().types_of(f)).unwrap_or_default();
    let dtype = dtype.filter(|d| types.contains(&TypeStr::Tensor(*d)));
    dtype.ok_or_else(|| Refusal::violates(label, format!("`dtype` is {named:?}, no type of the output")))
}

/// The attribute `shape`: no extent is negative (`label`).
pub fn shape(call: &Call, label: Label) -> Result<Vec<usize>, Refusal> {
    let given = call.int_list("shape")?;
    let extents = given.iter().map(|&e| usize::try_from(e)).collect::<Result<Vec<_>, _>>();
    extents.map_err(|_| Refusal::violates(label, format!("`shape` is {given:?}")))
}

/// The seed of the oracle's own example, which stands for any other.
pub fn seed(call: &Call) -> u64 {
    call.optional_float("seed").map_or(0, |s| u64::from(s.to_bits()))
}

/// The normal distribution of `mean` and `scale`; what does not describe one is left open (`label`).
pub fn normal(call: &Call, label: Label) -> Result<Distribution, Refusal> {
    let (mean, deviation) = (f64::from(call.float("mean")?), f64::from(call.float("scale")?));
    if !mean.is_finite() || !deviation.is_finite() || deviation < 0.0 {
        return Err(Refusal::leaves_open(label, format!("mean {mean} and scale {deviation}")));
    }
    Ok(Distribution::Normal { mean, deviation })
}

/// The uniform distribution from `low` to `high`; what does not describe one is left open (`label`).
pub fn uniform(call: &Call, label: Label) -> Result<Distribution, Refusal> {
    let (low, high) = (f64::from(call.float("low")?), f64::from(call.float("high")?));
    if !low.is_finite() || !high.is_finite() || low > high {
        return Err(Refusal::leaves_open(label, format!("from {low} to {high}")));
    }
    Ok(Distribution::Uniform { low, high })
}

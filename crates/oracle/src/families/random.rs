//! Shared parts of the operators that draw their output at random.

use plumbline_spec::TypeStr;

use crate::expected::Distribution;
use crate::prelude::*;

/// Returns the type of the output: `dtype`, or `fallback` if it is not given. `label` names the rule that is violated
/// by a type that the output cannot have.
pub fn dtype(call: &Call, fallback: Option<DType>, label: Label) -> Result<DType, Refusal> {
    let named = call.optional_int("dtype");
    let dtype = match named {
        Some(code) => DType::from_code(code),
        None => fallback,
    };
    let formal = call.version().outputs.first();
    let types = formal.map(|f| call.version().types_of(f)).unwrap_or_default();
    let dtype = dtype.filter(|d| types.contains(&TypeStr::Tensor(*d)));
    dtype.ok_or_else(|| Refusal::violates(label, format!("`dtype` is {named:?}, which is not a type of the output")))
}

/// Returns the attribute `shape`. `label` names the rule that is violated by a negative extent.
pub fn shape(call: &Call, label: Label) -> Result<Vec<usize>, Refusal> {
    let given = call.int_list("shape")?;
    let extents = given.iter().map(|&e| usize::try_from(e)).collect::<Result<Vec<_>, _>>();
    extents.map_err(|_| Refusal::violates(label, format!("`shape` is {given:?}, which has a negative extent")))
}

/// Returns the seed for the oracle's own example of an output, which stands for any other output.
pub fn seed(call: &Call) -> u64 {
    call.optional_float("seed").map_or(0, |s| u64::from(s.to_bits()))
}

/// Returns the normal distribution with `mean` and `scale`. Numbers that do not describe one are left open (`label`).
pub fn normal(call: &Call, dtype: DType, label: Label) -> Result<Distribution, Refusal> {
    let (mean, deviation) = (f64::from(call.float("mean")?), f64::from(call.float("scale")?));
    // Numbers beyond the range of the type would be infinite.
    let most = dtype.float_format().map_or(f64::MAX, |format| format.max_finite());
    let reaches = mean.abs() + 8.0 * deviation;
    if reaches > most || !mean.is_finite() || !deviation.is_finite() || deviation < 0.0 {
        return Err(Refusal::leaves_open(
            label,
            format!("mean {mean} and scale {deviation} are not those of a normal distribution"),
        ));
    }
    Ok(Distribution::Normal { mean, deviation })
}

/// Returns the uniform distribution from `low` to `high`. Numbers that do not describe one are left open (`label`).
pub fn uniform(call: &Call, label: Label) -> Result<Distribution, Refusal> {
    let (low, high) = (f64::from(call.float("low")?), f64::from(call.float("high")?));
    if !low.is_finite() || !high.is_finite() || low > high {
        return Err(Refusal::leaves_open(label, format!("{low} to {high} is not a range of a uniform distribution")));
    }
    Ok(Distribution::Uniform { low, high })
}

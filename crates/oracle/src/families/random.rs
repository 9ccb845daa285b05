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
    dtype.ok_or_else(|| {
        let reason = match named {
            Some(code) => format!("`dtype` is {code}, which is not a type of the output"),
            None => "`dtype` is not given, and its default is not a type of the output".to_owned(),
        };
        Refusal::violates(label, reason)
    })
}

/// Returns the attribute `shape`. `label` names the rule that is violated by a negative extent.
pub fn shape(call: &Call, label: Label) -> Result<Vec<usize>, Refusal> {
    let given = call.int_list("shape")?;
    let extents = given.iter().map(|&e| usize::try_from(e)).collect::<Result<Vec<_>, _>>();
    extents.map_err(|_| Refusal::violates(label, format!("`shape` is {given:?}, which has a negative extent")))
}

/// Returns the seed with which the oracle draws its own example of an output: the bits of the attribute `seed`, or 0.
pub fn seed(call: &Call) -> u64 {
    call.optional_float("seed").map_or(0, |s| u64::from(s.to_bits()))
}

/// Returns the largest finite number of a type. Numbers beyond it would be infinite.
fn most(dtype: DType) -> f64 {
    dtype.float_format().map_or(f64::MAX, |format| format.max_finite())
}

/// Returns the normal distribution with `mean` and `scale`. If there is no such distribution, or if it reaches beyond
/// the range of the type, the specification leaves the output open (`label`).
pub fn normal(call: &Call, dtype: DType, label: Label) -> Result<Distribution, Refusal> {
    let (mean, deviation) = (f64::from(call.float("mean")?), f64::from(call.float("scale")?));
    let reaches = mean.abs() + 8.0 * deviation;
    if reaches > most(dtype) || !mean.is_finite() || !deviation.is_finite() || deviation < 0.0 {
        return Err(Refusal::leaves_open(
            label,
            format!("no normal distribution within the range of the type has mean {mean} and scale {deviation}"),
        ));
    }
    Ok(Distribution::Normal { mean, deviation })
}

/// Returns the uniform distribution from `low` to `high`. If there is no such distribution, or if `low` or `high` is
/// beyond the range of the type, the specification leaves the output open (`label`).
pub fn uniform(call: &Call, dtype: DType, label: Label) -> Result<Distribution, Refusal> {
    let (low, high) = (f64::from(call.float("low")?), f64::from(call.float("high")?));
    let reaches = low.abs().max(high.abs());
    if reaches > most(dtype) || !low.is_finite() || !high.is_finite() || low > high {
        return Err(Refusal::leaves_open(
            label,
            format!("no uniform distribution within the range of the type goes from {low} to {high}"),
        ));
    }
    Ok(Distribution::Uniform { low, high })
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;
    use crate::testing::run;

    #[test]
    fn a_distribution_beyond_the_range_of_the_type_is_left_open() {
        let label = |node: &str| run(node, 22, &[], 1).err().and_then(|refusal| refusal.label);
        let (half, float) = (DType::Float16.code(), DType::Float.code());
        for bounds in ["high = 1000000.0", "low = -1000000.0"] {
            let of = |dtype: i32| label(&format!("RandomUniform <shape = [4], dtype = {dtype}, {bounds}>"));
            assert_eq!(of(half), Some(rule::DEGENERATE_DISTRIBUTION));
            assert_eq!(of(float), None);
        }
        let of = |dtype: i32| label(&format!("RandomNormal <shape = [4], dtype = {dtype}, scale = 10000.0>"));
        assert_eq!((of(half), of(float)), (Some(rule::DEGENERATE_DISTRIBUTION), None));
    }
}

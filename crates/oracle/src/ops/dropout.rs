use std::sync::Arc;

use crate::expected::Distribution;
use crate::prelude::*;

/// Drops random elements in training (`randomness`), and otherwise returns the data unchanged.
///
/// Up to version 6, `is_test` turns training off. In versions 7 and 10 nothing in the node says which mode applies
/// (`unnamed-mode`). From version 12 on, `training_mode` and `ratio` are inputs. Without training, the output is the
/// data, bit for bit (`inference`), and from version 12 on the mask holds ones. A ratio that is ignored then:
/// `unused-ratio`.
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
    let outside = !(0.0..1.0).contains(&ratio);
    if outside && !training && since >= 12 {
        call.leaves_open(rule::UNUSED_RATIO);
    }
    if training && outside {
        return Err(Refusal::violates(
            if since < 12 { rule::RATIO_ATTRIBUTE_IN_RANGE } else { rule::RATIO_IN_RANGE },
            format!("`ratio` is {ratio}, expected a number in [0, 1)"),
        ));
    }
    let shape = data.shape().to_vec();
    let mask_dtype = if since < 10 { data.dtype() } else { DType::Bool };
    if !training || ratio == 0.0 {
        let one = Number::constant(1.0, mask_dtype);
        // Up to version 6 the mask is not filled; versions 7 and 10 do not say what it holds (`inference-mask`).
        let one = match since {
            ..7 => one.undecided(rule::INFERENCE_MASK),
            7..12 => one.or(Number::constant(0.0, mask_dtype), rule::INFERENCE_MASK),
            _ => one,
        };
        let ones = Expected::from_numbers(mask_dtype, shape, vec![one; data.len()])?;
        return several([data.clone(), ones]);
    }
    if data.random.is_some() {
        return Err(Refusal::unsupported("the data are random, so their values are not known"));
    }
    let keep = 1.0 - ratio;
    let (one, r) = (Number::constant(1.0, data.dtype()), Number::constant(ratio, data.dtype()));
    // An implementation may compute the scale in the precision of the ratio, or divide by `1 - ratio` directly.
    let own = call.optional_tensor("ratio")?.map_or(data.dtype(), Expected::dtype);
    let (one_of_ratio, ratio_of_ratio) = (Number::constant(1.0, own), Number::constant(ratio, own));
    let scale = one / (one - r);
    let coarse = Real { dtype: data.dtype(), ..(one_of_ratio / (one_of_ratio - ratio_of_ratio)).real() };
    let scaled = |x: Number| either(x * scale, either(x / (one - r), x * Number::from(coarse)));
    let kept: Vec<Number> = data.numbers().map(scaled).collect();
    // A dropped element is multiplied by 0 or replaced by it. The results differ for infinite and NaN data
    // (`infinity-times-zero`).
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
        Expected::drawn(data.dtype(), shape.clone(), drawn, seed)?,
        Expected::drawn(mask_dtype, shape, Distribution::Mask { keep }, seed)?,
    ])
}

/// Reads an optional input that must be a scalar; `label` is that constraint.
fn scalar(call: &Call, name: &str, label: Label) -> Result<Option<f64>, Refusal> {
    let Some(tensor) = call.optional_tensor(name)? else { return Ok(None) };
    if tensor.rank() != 0 {
        return Err(Refusal::violates(label, format!("`{name}` has shape {:?}, expected a scalar", tensor.shape())));
    }
    if !tensor.is_certain() {
        return Err(Refusal::unsupported(format!(
            "input `{name}` decides what is computed, but the oracle accepts more than one value for it"
        )));
    }
    Ok(Some(if tensor.dtype().is_float() { tensor.tensor.f64_at(0) } else { tensor.tensor.i128_at(0) as f64 }))
}

/// Accepts the results of both ways to compute a number.
fn either(a: Number, b: Number) -> Number {
    let (x, y) = (a.real(), b.real());
    if x.mid.is_nan() || y.mid.is_nan() {
        return a;
    }
    x.hull(y).into()
}

#[cfg(test)]
mod tests {
    use crate::testing::{floats, refusable_by};

    #[test]
    fn a_ratio_that_is_ignored_may_be_out_of_range() {
        let refusable =
            |ratio: f32| refusable_by("1.20", "Dropout", 13, &[floats(&[2], &[1.0, 2.0]), floats(&[], &[ratio])], 1);
        assert_eq!(refusable(0.5), None);
        assert!(refusable(1.0).is_some_and(|rule| rule.contains("unused-ratio")));
    }
}

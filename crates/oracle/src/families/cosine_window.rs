//! BlackmanWindow, HammingWindow and HannWindow, which are sums of cosines.
//!
//! All three have these rules:
//!
//! - `size-positive`: the size is positive.
//! - `output-datatype-allowed`: `output_datatype` is a type that the output may have.
//! - `single-element-window`: the value of a window of one element.
//! - `integer-rounding`: how an element becomes an integer.
//! - `other-flag-values`: a `periodic` that is neither 0 nor 1.

use super::cast::outside;
use super::interpolate::to_integer;
use crate::prelude::*;

/// Computes `a0 - a1 cos(angle) + a2 cos(2 angle)` for each element `i` of a window. The angle is `i / parts` of a full
/// turn; `parts` is the number of elements, or one less if the window is not periodic. The function body computes in
/// float, with float coefficients, whatever the type of the output.
pub fn cosines(call: &Call, [a0, a1, a2]: [f64; 3]) -> Answer {
    let size = scalar(call, "size", rule::SIZE_POSITIVE)?;
    let size = usize::try_from(size).ok().filter(|&s| s > 0);
    let size = size.ok_or_else(|| Refusal::violates(rule::SIZE_POSITIVE, "`size` is not a positive number"))?;
    let dtype = output_dtype(call, "T2", rule::OUTPUT_DATATYPE_ALLOWED)?;
    let parts = if call.flag("periodic") { size as f64 } else { size as f64 - 1.0 };
    let count = shape::affordable(&[size])?;
    // In place of tau and of each coefficient, an implementation may use either of the two floats next to it.
    let rounded = |x: f64| float(x).widened(0.5);
    let element = |i: usize| {
        if parts == 0.0 {
            // The angle of the only element is 0 / 0 of a turn, which is NaN.
            return in_type(float(f64::NAN), dtype)
                .or(in_type(float(a0 + a1 + a2), dtype), rule::SINGLE_ELEMENT_WINDOW);
        }
        let angle = rounded(std::f64::consts::TAU).times(float(i as f64)).over(float(parts));
        let cosine = |times: f64| {
            let circles = times * i as f64 / parts;
            let at = Real { mid: circles.fract() * std::f64::consts::TAU, ..angle.times(float(times)) };
            let value = Number::from(at).cos().real();
            // The exact cosine is computed from the angle without its full turns.
            let exact = libm::cos(at.mid);
            let angle = angle.times(float(times));
            let reach = (angle.high - angle.low) + 4.0 * f64::from(f32::EPSILON);
            Real { low: (exact - reach).max(-1.0), mid: exact, high: (exact + reach).min(1.0), ..value }
        };
        let first = rounded(a0).minus(rounded(a1).times(cosine(1.0)));
        let sum = if a2 == 0.0 { first } else { first.plus(rounded(a2).times(cosine(2.0))) };
        in_type(sum, dtype)
    };
    call.answer_as(dtype, vec![count], (0..count).map(element))
}

fn float(x: f64) -> Real {
    Real::constant(x, DType::Float)
}

/// Converts a float to the type of the output. For a floating-point type, the float is rounded. For an integer type,
/// its fraction is cut off, and the result of NaN is left open (`integer-rounding`).
pub fn in_type(x: Real, dtype: DType) -> Number {
    if dtype.is_float() {
        return Number::from(x).to_float(dtype);
    }
    if x.is_nan() {
        return outside(f64::NAN, dtype, rule::INTEGER_ROUNDING);
    }
    let whole =
        to_integer(Real { low: x.mid, high: x.mid, ..x }, dtype, Some(rule::INTEGER_ROUNDING), rule::INTEGER_ROUNDING);
    // The fraction of every accepted value is cut off.
    let cut = |x: f64| Number::int(x as i128, dtype);
    Number { latitude: None, ..whole }.hull(cut(x.low)).hull(cut(x.high))
}

/// Returns an integer input that is a scalar. `label` names the rule that is violated by a tensor of another rank.
pub fn scalar(call: &Call, name: &str, label: Label) -> Result<i64, Refusal> {
    let shape = call.tensor(name)?.shape();
    match call.ints(name)?.as_slice() {
        [value] if shape.is_empty() => Ok(*value),
        _ => Err(Refusal::violates(label, format!("`{name}` has shape {shape:?}, expected a scalar"))),
    }
}

/// Returns the type that `output_datatype` names, which is one of the types of a type variable. `label` names the rule
/// that is violated by any other type.
pub fn output_dtype(call: &Call, variable: &str, label: Label) -> Result<DType, Refusal> {
    let code = call.int("output_datatype")?;
    let known = |d: &DType| {
        let types = call.version().types.get(variable);
        types.is_some_and(|types| types.contains(&plumbline_spec::TypeStr::Tensor(*d)))
    };
    let dtype = DType::from_code(code).filter(known);
    dtype.ok_or_else(|| {
        Refusal::violates(label, format!("`output_datatype` is {code}, which is not a type of the output"))
    })
}

use crate::families::traditional::{certain, list, one_of};
use crate::prelude::*;

/// Replaces every element that equals `replaced_value_float` or `replaced_value_int64`. The new value is the imputed
/// value of the element's feature.
///
/// The only version is 1. Constraints: exactly one list of imputed values is given (`one-value-list-given`), it fits
/// the element type of `X` (`value-type-fits`), it has one value or one for each feature (`lengths-fit-features`), and
/// integers lie in the range of the type (`values-in-type-range`). NaN as the replaced value: `nan`; zeros of both
/// signs: `signed-zero`.
pub fn imputer(call: &Call) -> Answer {
    let x = call.tensor("X")?;
    certain(x)?;
    let given = one_of(call, &["imputed_value_floats", "imputed_value_int64s"], rule::ONE_VALUE_LIST_GIVEN)?;
    let floats = x.dtype().is_float();
    if floats != (given == "imputed_value_floats") {
        return Err(Refusal::violates(
            rule::VALUE_TYPE_FITS,
            format!("`{given}` is given, which does not fit elements of type {}", x.dtype()),
        ));
    }
    let values = list(call, given)?;
    let features = x.shape().last().copied().unwrap_or(1);
    if values.len() != 1 && values.len() != features {
        return Err(Refusal::violates(
            rule::LENGTHS_FIT_FEATURES,
            format!("{} values are given, expected 1, or {features}: one for each feature", values.len()),
        ));
    }
    let values = match floats {
        true => Tensor::from_f64s(x.dtype(), vec![values.len()], &values.to_f64s())?,
        false => {
            let (low, high) = x.dtype().integer_range().unwrap_or((i128::MIN, i128::MAX));
            let wide = values.to_i128s();
            if let Some(value) = wide.iter().find(|v| !(low..=high).contains(*v)) {
                return Err(Refusal::violates(
                    rule::VALUES_IN_TYPE_RANGE,
                    format!("{value} is outside the range of {}", x.dtype()),
                ));
            }
            Tensor::from_i128s(x.dtype(), vec![wide.len()], &wide)?
        }
    };
    let (float, int) = (f64::from(call.float("replaced_value_float")?), call.int("replaced_value_int64")?);
    let replaced = |i: usize| match floats {
        // The replaced value may be NaN, which then matches every NaN (`nan`).
        true => x.tensor.f64_at(i) == float || x.tensor.f64_at(i).is_nan() && float.is_nan(),
        false => x.tensor.i128_at(i) == i128::from(int),
    };
    let values = Expected::from(values);
    let value = |i: usize| if values.len() == 1 { 0 } else { i % features };
    one(Expected::assembled(x.shape().to_vec(), &[x, &values], |i| if replaced(i) { (1, value(i)) } else { (0, i) })?)
}

use crate::families::traditional::{certain, equal, list, mapped, one_of, same_bits, strings};
use crate::prelude::*;

/// Looks up each element among the keys, and replaces it by the value of the key that it equals.
///
/// Version 1 maps strings to their indices in a list, or indices to strings: at most one default is given
/// (`one-alternative-given`), and the list is given (`values-given`). From version 2 on, attributes give keys and
/// values: one list of keys (`one-alternative-given`), one list of values (`values-given`) of the same length
/// (`lengths-equal`), and keys of the type of `X` (`key-type-fits`). Version 4 adds tensors, and a default tensor that
/// has one element of the type of the values (`default-tensor-fits`).
///
/// NaN: `nan`; keys that occur more than once: `duplicate-keys`; zeros of both signs: `signed-zero`; elements that
/// match no key take the default: `unknown-value`.
pub fn label_encoder(call: &Call) -> Answer {
    let x = call.tensor("X")?;
    certain(x)?;
    if call.since() == 1 { places(call, x) } else { table(call, x) }
}

fn places(call: &Call, x: &Expected) -> Answer {
    if call.has_attribute("default_int64") && call.has_attribute("default_string") {
        return Err(Refusal::violates(
            rule::ONE_ALTERNATIVE_GIVEN,
            "both `default_int64` and `default_string` are given",
        ));
    }
    let classes = call.optional_string_list("classes_strings");
    let classes =
        strings(classes.ok_or_else(|| Refusal::violates(rule::VALUES_GIVEN, "`classes_strings` is missing"))?)?;
    let count = classes.len();
    if x.dtype() != DType::String {
        let default = strings(vec![call.string("default_string")?.into_bytes()])?;
        let place = |i: usize| usize::try_from(x.tensor.i128_at(i)).ok().filter(|&place| place < count);
        return one(mapped(x, classes, default, place)?);
    }
    let indices = Tensor::from_i64s(&(0..count as i64).collect::<Vec<_>>());
    let found = |i: usize| (0..count).filter(|&k| same_bits(&x.tensor, i, &classes, k)).collect::<Vec<_>>();
    let all = Expected::from(indices.clone());
    let default = Tensor::from_i64s(&[call.int("default_int64")?]);
    one(mapped(x, indices, default, |i| found(i).first().copied())?.or_elements(rule::DUPLICATE_KEYS, &all, found))
}

fn table(call: &Call, x: &Expected) -> Answer {
    const KEYS: [&str; 4] = ["keys_int64s", "keys_floats", "keys_strings", "keys_tensor"];
    const VALUES: [&str; 4] = ["values_int64s", "values_floats", "values_strings", "values_tensor"];
    let keys = list(call, one_of(call, &KEYS, rule::ONE_ALTERNATIVE_GIVEN)?)?;
    let values = list(call, one_of(call, &VALUES, rule::VALUES_GIVEN)?)?;
    if keys.len() != values.len() {
        return Err(Refusal::violates(
            rule::LENGTHS_EQUAL,
            format!("there are {} keys and {} values, expected equal numbers", keys.len(), values.len()),
        ));
    }
    if keys.dtype() != x.dtype() {
        return Err(Refusal::violates(
            rule::KEY_TYPE_FITS,
            format!("the keys have type {}, expected that of `X`, {}", keys.dtype(), x.dtype()),
        ));
    }
    let default = default(call, values.dtype())?;
    // Version 2 compares bits, version 4 compares values (`nan`, `signed-zero`).
    if call.since() == 2 && !x.has_certain_bits() {
        return Err(Refusal::unsupported("the oracle accepts different bits for an element of `X`"));
    }
    let same = |i: usize, k: usize| match call.since() {
        2 => same_bits(&x.tensor, i, &keys, k),
        _ => equal(&x.tensor, i, &keys, k),
    };
    let found = |i: usize| (0..keys.len()).filter(|&k| same(i, k)).collect::<Vec<_>>();
    // From version 4 on, the last of several equal keys counts (`duplicate-keys`).
    let repeated = |i: usize| if call.since() == 2 { found(i) } else { vec![] };
    // An implementation may tell zeros of different signs apart. A zero then does not match a key that is a zero of the
    // other sign, and another key counts, or the default (`signed-zero`).
    let different = |i: usize| {
        let found = found(i);
        let zero = |k: &usize| keys.dtype().is_float() && keys.f64_at(*k) == 0.0 && !same_bits(&x.tensor, i, &keys, *k);
        match call.since() > 2 && found.iter().any(zero) {
            true => vec![found.into_iter().rfind(|k| !zero(k)).unwrap_or(values.len())],
            false => vec![],
        }
    };
    let parts = [Expected::from(values.clone()), Expected::from(default.clone())];
    let count = values.len();
    let all =
        Expected::assembled(vec![count + 1], &[&parts[0], &parts[1]], |i| if i < count { (0, i) } else { (1, 0) })?;
    let answer = mapped(x, values.clone(), default, |i| found(i).last().copied())?;
    one(answer.or_elements(rule::DUPLICATE_KEYS, &all, repeated).or_elements(rule::SIGNED_ZERO, &all, different))
}

/// Returns the value for elements that match no key.
fn default(call: &Call, dtype: DType) -> Result<Tensor, Refusal> {
    if call.since() >= 4
        && let Some(tensor) = call.optional_tensor_attribute("default_tensor")?
    {
        return match tensor.dtype() == dtype && tensor.shape() == [1] {
            true => Ok(tensor),
            false => Err(Refusal::violates(
                rule::DEFAULT_TENSOR_FITS,
                format!(
                    "`default_tensor` has type {} and shape {:?}, expected {dtype} and [1]",
                    tensor.dtype(),
                    tensor.shape()
                ),
            )),
        };
    }
    Ok(match dtype {
        DType::String => strings(vec![call.string("default_string")?.into_bytes()])?,
        DType::Float => Tensor::from_f32s(vec![1], &[call.float("default_float")?])?,
        DType::Int64 => Tensor::from_i64s(&[call.int("default_int64")?]),
        // Values of other types come only from a tensor. Their default is -0.0 for floats and -1 for integers.
        dtype if dtype.is_float() => Tensor::from_f64s(dtype, vec![1], &[-0.0])?,
        dtype => Tensor::from_i128s(dtype, vec![1], &[-1])?,
    })
}

use crate::families::traditional::{certain, mapped, same_bits, strings};
use crate::prelude::*;

/// Maps strings to integers or integers to strings with two lists of categories.
///
/// The only version is 1. Constraints: both lists are given (`both-lists-given`), they have equal lengths
/// (`lengths-equal`), and at most one default is given (`one-default-at-most`). Keys that occur more than once:
/// `duplicate-keys`; elements that match no key take the default: `unknown-value`.
pub fn category_mapper(call: &Call) -> Answer {
    let x = call.tensor("X")?;
    certain(x)?;
    let (Some(ints), Some(names)) = (call.optional_int_list("cats_int64s"), call.optional_string_list("cats_strings"))
    else {
        return Err(Refusal::violates(rule::BOTH_LISTS_GIVEN, "`cats_int64s` or `cats_strings` is missing"));
    };
    if ints.len() != names.len() {
        return Err(Refusal::violates(
            rule::LENGTHS_EQUAL,
            format!("there are {} integers and {} strings, expected equal numbers", ints.len(), names.len()),
        ));
    }
    if call.has_attribute("default_int64") && call.has_attribute("default_string") {
        return Err(Refusal::violates(
            rule::ONE_DEFAULT_AT_MOST,
            "both `default_int64` and `default_string` are given",
        ));
    }
    let (ints, names) = (Tensor::from_i64s(&ints), strings(names)?);
    let (keys, values, default) = match x.dtype() {
        DType::String => (names, ints, Tensor::from_i64s(&[call.int("default_int64")?])),
        _ => (ints, names, strings(vec![call.string("default_string")?.into_bytes()])?),
    };
    let places = |i: usize| (0..keys.len()).filter(|&k| same_bits(&x.tensor, i, &keys, k)).collect::<Vec<_>>();
    let earlier = |i: usize| places(i).split_last().map_or(vec![], |(_, earlier)| earlier.to_vec());
    let all = Expected::from(values.clone());
    one(mapped(x, values, default, |i| places(i).last().copied())?.or_elements(rule::DUPLICATE_KEYS, &all, earlier))
}

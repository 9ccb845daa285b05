use crate::families::traditional::{certain, list, one_of};
use crate::prelude::*;
use crate::steps;

/// Encodes each element as a vector with a one at the position of its category and zeros elsewhere.
///
/// The only version is 1. Constraints: one list of categories is given (`one-category-list-given`), it fits the element
/// type of `X` (`category-type-fits`), and with `zeros` = 0 it contains every element (`elements-in-categories`).
/// NaN and floats outside the range of int64: `conversion` (the oracle gives no answer for them if `zeros` is 0);
/// categories that are listed twice: `duplicate-keys`; elements without a category: `unknown-value`.
///
/// Values of `zeros` other than 0 and 1: `other-flag-values`.
pub fn one_hot_encoder(call: &Call) -> Answer {
    let x = call.tensor("X")?;
    certain(x)?;
    let given = one_of(call, &["cats_int64s", "cats_strings"], rule::ONE_CATEGORY_LIST_GIVEN)?;
    if (x.dtype() == DType::String) != (given == "cats_strings") {
        return Err(Refusal::violates(
            rule::CATEGORY_TYPE_FITS,
            format!("`{given}` is given, which does not fit elements of type {}", x.dtype()),
        ));
    }
    let categories = list(call, given)?;
    let zeros = call.flag("zeros");
    let number = |one: bool| Number::constant(f64::from(u8::from(one)), DType::Float);
    let shape: Vec<usize> = x.shape().iter().copied().chain([categories.len()]).collect();
    shape::affordable(&shape)?;
    let mut numbers = Vec::new();
    let mut is_open = false;
    for i in 0..x.len() {
        steps::take(categories.len());
        let value = value_of(&x.tensor, i);
        let row: Vec<bool> =
            (0..categories.len()).map(|k| value.is_some() && value == value_of(&categories, k)).collect();
        is_open |= value.is_none();
        if !zeros && value.is_some() && !row.contains(&true) {
            return Err(Refusal::violates(
                rule::ELEMENTS_IN_CATEGORIES,
                "an element is in no category, and `zeros` is 0",
            ));
        }
        let is_twice = row.iter().filter(|r| **r).count() > 1;
        numbers.extend(row.into_iter().map(|one| match value {
            None => number(one).or(number(!one), rule::CONVERSION),
            Some(_) if one && is_twice => number(one).or(number(!one), rule::DUPLICATE_KEYS),
            Some(_) => number(one),
        }));
    }
    if !zeros && is_open {
        return Err(Refusal::leaves_open(
            rule::CONVERSION,
            "`zeros` is 0, and an element that is NaN or beyond int64 may be in a category or in none",
        ));
    }
    call.answer_as(DType::Float, shape, numbers)
}

/// Returns the string or the integer to look up; a float is truncated to an integer. Returns `None` for NaN and for a
/// float outside the range of int64 (`conversion`).
fn value_of(tensor: &Tensor, i: usize) -> Option<(i128, &[u8])> {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    match tensor.dtype() {
        DType::String => Some((0, tensor.strings()[i].as_slice())),
        dtype if dtype.is_float() => {
            let value = libm::trunc(tensor.f64_at(i));
            (-LIMIT..LIMIT).contains(&value).then_some((value as i128, &[]))
        }
        _ => Some((tensor.i128_at(i), &[])),
    }
}

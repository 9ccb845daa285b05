//! Operators of two tensors, element by element.

use crate::prelude::*;
use crate::shape;

/// `f` of each pair of elements of the first two inputs: until version 6 the second one stands inside the first (`legacy-shapes-broadcast`), from 7
/// on both broadcast (`shapes-broadcast`).
pub fn binary(call: &Call, f: impl Fn(Number, Number) -> Number) -> Answer {
    let [a, b] = operands(call)?;
    if call.since() < 7 {
        call.zip_legacy(a, b, rule::LEGACY_SHAPES_BROADCAST, f)
    } else {
        call.zip(a, b, rule::SHAPES_BROADCAST, f)
    }
}

/// `f` of each pair of bools, where shapes fit as for [`binary`].
pub fn logical(call: &Call, f: fn(bool, bool) -> bool) -> Answer {
    binary(call, |a, b| a.compare(b, |x, y| f(*x != 0.0, *y != 0.0), |x, y| f(*x != 0, *y != 0)))
}

/// The names of the first two inputs.
fn operands<'a>(call: &Call<'a>) -> Result<[&'a str; 2], Refusal> {
    match call.version().inputs.as_slice() {
        [a, b, ..] => Ok([&a.name, &b.name]),
        _ => Err(Refusal::failed("the operator does not have two inputs")),
    }
}

/// Equality of strings, byte by byte, where shapes broadcast (`label`).
pub fn equal_strings(call: &Call, label: Label) -> Answer {
    let [a, b] = operands(call)?.map(|name| call.tensor(name));
    let (a, b) = (a?, b?);
    let shape = broadcast_shape(&[a, b], label)?;
    let (left, right) = (shape::broadcast_indices(a.shape(), &shape), shape::broadcast_indices(b.shape(), &shape));
    let (a, b) = (a.tensor.strings(), b.tensor.strings());
    call.answer(shape, left.into_iter().zip(right).map(|(i, j)| Number::from(a[i] == b[j])))
}

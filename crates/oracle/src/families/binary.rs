//! Operators that combine two tensors element by element.

use crate::prelude::*;
use crate::shape;

/// Applies `f` to each pair of elements of the first two inputs. Up to version 6 only the second input broadcasts, to
/// the shape of the first (`legacy-shapes-broadcast`), if `broadcast` says so (`other-flag-values`). From version 7 on
/// both inputs broadcast (`shapes-broadcast`).
pub fn binary(call: &Call, f: impl Fn(Number, Number) -> Number + Sync) -> Answer {
    let [a, b] = operands(call)?;
    if call.since() < 7 {
        call.zip_legacy(a, b, rule::LEGACY_SHAPES_BROADCAST, f)
    } else {
        call.zip(a, b, rule::SHAPES_BROADCAST, f)
    }
}

/// Applies `f` to each pair of bools. The shapes broadcast as in [`binary`].
pub fn logical(call: &Call, f: fn(bool, bool) -> bool) -> Answer {
    binary(call, |a, b| a.compare(b, |x, y| f(*x != 0.0, *y != 0.0), |x, y| f(*x != 0, *y != 0)))
}

/// Returns the names of the first two inputs.
fn operands<'a>(call: &Call<'a>) -> Result<[&'a str; 2], Refusal> {
    match call.version().inputs.as_slice() {
        [a, b, ..] => Ok([&a.name, &b.name]),
        _ => Err(Refusal::failed("the specification of the operator does not have two inputs")),
    }
}

/// Compares two tensors of strings for equality, byte by byte. `label` names the rule for shapes that do not broadcast.
pub fn equal_strings(call: &Call, label: Label) -> Answer {
    let [a, b] = operands(call)?.map(|name| call.tensor(name));
    let (a, b) = (a?, b?);
    let shape = broadcast_shape(&[a, b], label)?;
    let (left, right) = (shape::broadcast_indices(a.shape(), &shape), shape::broadcast_indices(b.shape(), &shape));
    let equal = |(i, j): (usize, usize)| {
        let same = a.tensor.strings()[i] == b.tensor.strings()[j];
        let open = a.latitude_at(i).or(b.latitude_at(j));
        open.map_or(same.into(), |open| Number::from(same).or(Number::from(!same), open.label))
    };
    call.answer(shape, left.into_iter().zip(right).map(equal))
}

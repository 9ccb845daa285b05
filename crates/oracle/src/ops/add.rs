use crate::families::binary::binary;
use crate::prelude::*;

/// Computes the sum of `A` and `B`, element by element.
///
/// Up to version 6, `B` is expanded to the shape of `A` at a given axis (`legacy-shapes-broadcast`). Extents of 1
/// in `B` are expanded too (`size-one-broadcast`). From version 7 on, both shapes broadcast (`shapes-broadcast`).
///
/// Integer overflow: `integer-overflow`; NaN, infinities and floating-point overflow follow IEEE 754:
/// `nan-and-infinity`. The sign of a zero result is left open: `signed-zero`.
pub fn add(call: &Call) -> Answer {
    binary(call, |a, b| (a + b).wraps(rule::INTEGER_OVERFLOW))
}

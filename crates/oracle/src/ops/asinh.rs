use crate::prelude::*;

/// Computes the inverse hyperbolic sine of each element.
///
/// Versions 9 and 22 have the same meaning; version 22 adds bfloat16. NaN and infinities: `nan-and-infinity`.
pub fn asinh(call: &Call) -> Answer {
    call.map("input", |x| x.asinh())
}

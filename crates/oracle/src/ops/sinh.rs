use crate::prelude::*;

/// Computes the hyperbolic sine of each element.
///
/// Versions 9 and 22 have the same meaning; version 22 adds bfloat16. Overflow: `overflow`; NaN and infinities:
/// `nan-and-infinity`.
pub fn sinh(call: &Call) -> Answer {
    call.map("input", |x| x.sinh())
}

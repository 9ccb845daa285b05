use crate::prelude::*;

/// Computes the hyperbolic cosine of each element.
///
/// Versions 9 and 22 have the same meaning; version 22 adds bfloat16. Overflow: `overflow`; NaN and infinities:
/// `nan-and-infinity`.
pub fn cosh(call: &Call) -> Answer {
    call.map("input", |x| x.cosh())
}

use crate::prelude::*;

/// Computes `1 / x` for each element.
///
/// Versions 1, 6 and 13 have the same meaning; version 13 adds bfloat16. Zeros: `division-by-zero`; NaN and infinities:
/// `nan-and-infinity`.
pub fn reciprocal(call: &Call) -> Answer {
    call.map("X", |x| x.like(1.0) / x)
}

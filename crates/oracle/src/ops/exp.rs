use crate::prelude::*;

/// Computes e to the power of each element.
///
/// Versions 1, 6 and 13 have the same meaning; version 13 adds bfloat16. Overflow: `overflow`; NaN and infinities:
/// `nan-and-infinity`.
pub fn exp(call: &Call) -> Answer {
    call.map("input", |x| x.exp())
}

use crate::prelude::*;

/// Computes the arctangent of each element.
///
/// Versions 7 and 22 have the same meaning; version 22 adds bfloat16. NaN and infinities: `nan-and-infinity`.
pub fn atan(call: &Call) -> Answer {
    call.map("input", |x| x.atan())
}

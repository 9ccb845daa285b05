use crate::prelude::*;

/// Computes the square root of each element.
///
/// Versions 1, 6 and 13 have the same meaning; version 13 adds bfloat16. Negative elements: `outside-domain`; zeros:
/// `signed-zero`; NaN and infinities: `nan-and-infinity`.
pub fn sqrt(call: &Call) -> Answer {
    call.map("X", |x| x.sqrt())
}

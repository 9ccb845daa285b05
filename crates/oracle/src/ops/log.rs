use crate::prelude::*;

/// Computes the natural logarithm of each element.
///
/// Versions 1, 6 and 13 have the same meaning; version 13 adds bfloat16. Negative elements: `outside-domain`; zeros:
/// `pole`; NaN and infinities: `nan-and-infinity`.
pub fn log(call: &Call) -> Answer {
    call.map("input", |x| x.log())
}

use crate::prelude::*;

/// Computes the negative of each element.
///
/// Versions 1, 6 and 13 have the same meaning; version 6 adds signed integers, version 13 bfloat16. The smallest signed
/// integer: `integer-overflow`; zeros: `signed-zero`; NaN: `nan-and-infinity`.
pub fn neg(call: &Call) -> Answer {
    call.map("X", |x| (-x).wraps(rule::INTEGER_OVERFLOW))
}

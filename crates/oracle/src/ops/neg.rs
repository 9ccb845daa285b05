use crate::prelude::*;

/// Neg-1, -6, -13: one meaning; 6 adds signed integers, 13 bfloat16. The smallest signed integer: `integer-overflow`; zeros: `signed-zero`; NaN:
/// `nan-and-infinity`.
pub fn neg(call: &Call) -> Answer {
    call.map("X", |x| (-x).wraps(rule::INTEGER_OVERFLOW))
}

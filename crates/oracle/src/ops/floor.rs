use crate::families::integral::rounded;
use crate::prelude::*;

/// Rounds each element down to an integer.
///
/// Versions 1, 6 and 13 have the same meaning. Version 13 adds bfloat16 and defines the results for zeros, NaN and
/// infinities (`signed-zero`). In earlier versions, zeros: `signed-zero`; NaN and infinities: `nan-and-infinity`.
pub fn floor(call: &Call) -> Answer {
    let itself = (call.since() >= 13).then_some(rule::SIGNED_ZERO);
    call.map("X", |x| rounded(x, itself, Number::floor))
}

use crate::families::integral::rounded;
use crate::prelude::*;

/// Rounds each element down to an integer.
///
/// Versions 1, 6 and 13 have the same meaning. Version 13 adds bfloat16 and defines zeros, NaN and infinities:
/// `signed-zero`, and `nan-and-infinity` before version 13.
pub fn floor(call: &Call) -> Answer {
    let itself = (call.since() >= 13).then_some(rule::SIGNED_ZERO);
    call.map("X", |x| rounded(x, itself, Number::floor))
}

use crate::families::rounding::rounded;
use crate::prelude::*;

/// Floor-1, -6, -13: one meaning; 13 adds bfloat16 and says what happens to ±0, NaN and ±Inf (`signed-zero`, before 13 `nan-and-infinity`).
pub fn floor(call: &Call) -> Answer {
    let itself = (call.since() >= 13).then_some(rule::SIGNED_ZERO);
    call.map("X", |x| rounded(x, itself, Number::floor))
}

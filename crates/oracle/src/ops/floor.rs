use crate::families::rounding::rounded;
use crate::prelude::*;

/// Floor-1, -6, -13: one meaning; 13 adds bfloat16 and says what happens to ±0, NaN and ±Inf (B1, before 13 B2).
pub fn floor(call: &Call) -> Answer {
    let itself = (call.since() >= 13).then_some(B1);
    call.map("X", |x| rounded(x, itself, Number::floor))
}

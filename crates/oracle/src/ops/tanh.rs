use crate::prelude::*;

/// Tanh-1, -6, -13: one meaning; 13 adds bfloat16. Rank: `input-rank`; NaN and infinities: `nan-and-infinity`.
pub fn tanh(call: &Call) -> Answer {
    call.map("input", |x| x.tanh())
}

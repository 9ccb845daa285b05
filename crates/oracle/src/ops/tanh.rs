use crate::prelude::*;

/// Tanh-1, -6, -13: one meaning; 13 adds bfloat16. Rank: B1; NaN and infinities: B2.
pub fn tanh(call: &Call) -> Answer {
    call.map("input", |x| x.tanh())
}

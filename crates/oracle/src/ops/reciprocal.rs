use crate::prelude::*;

/// Reciprocal-1, -6, -13: one meaning; 13 adds bfloat16. Zeros: `division-by-zero`; NaN and infinities: `nan-and-infinity`.
pub fn reciprocal(call: &Call) -> Answer {
    call.map("X", |x| x.like(1.0) / x)
}

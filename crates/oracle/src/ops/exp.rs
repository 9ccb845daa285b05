use crate::prelude::*;

/// Exp-1, -6, -13: one meaning; 13 adds bfloat16. Overflow: `overflow`; NaN and infinities: `nan-and-infinity`.
pub fn exp(call: &Call) -> Answer {
    call.map("input", |x| x.exp())
}

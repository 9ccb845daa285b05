use crate::prelude::*;

/// Asinh-9, -22: one meaning; 22 adds bfloat16. NaN and infinities: `nan-and-infinity`.
pub fn asinh(call: &Call) -> Answer {
    call.map("input", |x| x.asinh())
}

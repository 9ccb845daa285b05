use crate::prelude::*;

/// Atan-7, -22: one meaning; 22 adds bfloat16. NaN and infinities: `nan-and-infinity`.
pub fn atan(call: &Call) -> Answer {
    call.map("input", |x| x.atan())
}

use crate::prelude::*;

/// Cosh-9, -22: one meaning; 22 adds bfloat16. Overflow: `overflow`; NaN and infinities: `nan-and-infinity`.
pub fn cosh(call: &Call) -> Answer {
    call.map("input", |x| x.cosh())
}

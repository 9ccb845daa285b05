use crate::prelude::*;

/// Sinh-9, -22: one meaning; 22 adds bfloat16. Overflow: B1; NaN and infinities: B2.
pub fn sinh(call: &Call) -> Answer {
    call.map("input", |x| x.sinh())
}

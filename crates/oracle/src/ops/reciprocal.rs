use crate::prelude::*;

/// Reciprocal-1, -6, -13: one meaning; 13 adds bfloat16. Zeros: B1; NaN and infinities: B2.
pub fn reciprocal(call: &Call) -> Answer {
    call.map("X", |x| x.like(1.0) / x)
}

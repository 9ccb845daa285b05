use crate::prelude::*;

/// Neg-1, -6, -13: one meaning; 6 adds signed integers, 13 bfloat16. The smallest signed integer: B1; zeros: B2; NaN: B3.
pub fn neg(call: &Call) -> Answer {
    call.map("X", |x| (-x).wraps(B1))
}

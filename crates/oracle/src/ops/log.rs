use crate::prelude::*;

/// Log-1, -6, -13: one meaning; 13 adds bfloat16. Negative values: B1; zeros: B2; NaN and infinities: B3.
pub fn log(call: &Call) -> Answer {
    call.map("input", |x| x.log())
}

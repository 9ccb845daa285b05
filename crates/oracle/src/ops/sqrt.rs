use crate::prelude::*;

/// Sqrt-1, -6, -13: one meaning; 13 adds bfloat16. Negative values: `outside-domain`; zeros: `signed-zero`; NaN and infinities: `nan-and-infinity`.
pub fn sqrt(call: &Call) -> Answer {
    call.map("X", |x| x.sqrt())
}

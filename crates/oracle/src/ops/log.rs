use crate::prelude::*;

/// Log-1, -6, -13: one meaning; 13 adds bfloat16. Negative values: `outside-domain`; zeros: `pole`; NaN and infinities: `nan-and-infinity`.
pub fn log(call: &Call) -> Answer {
    call.map("input", |x| x.log())
}

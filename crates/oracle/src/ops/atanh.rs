use crate::prelude::*;

/// Atanh-9, -22: one meaning; 22 adds bfloat16. Outside of [-1, 1]: `outside-domain`; the ends: `pole`.
pub fn atanh(call: &Call) -> Answer {
    call.map("input", |x| x.atanh())
}

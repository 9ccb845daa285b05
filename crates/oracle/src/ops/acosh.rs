use crate::prelude::*;

/// Acosh-9, -22: one meaning; 22 adds bfloat16. Below 1: `outside-domain`; NaN and infinity: `nan-and-infinity`.
pub fn acosh(call: &Call) -> Answer {
    call.map("input", |x| x.acosh())
}

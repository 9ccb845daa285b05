use crate::prelude::*;

/// Cos-7, -22: one meaning; 22 adds bfloat16. Infinities and NaN: `infinity`; large angles: `large-angles`.
pub fn cos(call: &Call) -> Answer {
    call.map("input", |x| x.cos())
}

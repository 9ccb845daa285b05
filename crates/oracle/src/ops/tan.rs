use crate::prelude::*;

/// Tan-7, -22: one meaning; 22 adds bfloat16. Infinities and NaN: `infinity`; large angles: `large-angles`.
pub fn tan(call: &Call) -> Answer {
    call.map("input", |x| x.tan())
}

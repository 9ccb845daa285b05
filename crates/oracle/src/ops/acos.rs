use crate::prelude::*;

/// Acos-7, -22: one meaning; 22 adds bfloat16. Outside of [-1, 1]: `outside-domain`.
pub fn acos(call: &Call) -> Answer {
    call.map("input", |x| x.acos())
}

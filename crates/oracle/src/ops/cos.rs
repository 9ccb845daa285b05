use crate::prelude::*;

/// Computes the cosine of each element, an angle in radians.
///
/// Versions 7 and 22 have the same meaning; version 22 adds bfloat16. Infinities and NaN: `infinity`; large angles:
/// `large-angles`.
pub fn cos(call: &Call) -> Answer {
    call.map("input", |x| x.cos())
}

use crate::prelude::*;

/// Computes the tangent of each element, in radians.
///
/// Versions 7 and 22 have the same meaning; version 22 adds bfloat16. Infinities and NaN: `infinity`; large angles:
/// `large-angles`.
pub fn tan(call: &Call) -> Answer {
    call.map("input", |x| x.tan())
}

use crate::prelude::*;

/// Computes the arccosine of each element.
///
/// Versions 7 and 22 have the same meaning; version 22 adds bfloat16. Elements outside of [-1, 1]: `outside-domain`.
pub fn acos(call: &Call) -> Answer {
    call.map("input", |x| x.acos())
}

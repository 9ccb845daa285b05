use crate::prelude::*;

/// Computes the inverse hyperbolic tangent of each element.
///
/// Versions 9 and 22 have the same meaning; version 22 adds bfloat16. Elements outside of [-1, 1]: `outside-domain`; -1
/// and 1 themselves: `pole`.
pub fn atanh(call: &Call) -> Answer {
    call.map("input", |x| x.atanh())
}

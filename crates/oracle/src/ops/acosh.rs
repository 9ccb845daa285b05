use crate::prelude::*;

/// Computes the inverse hyperbolic cosine of each element.
///
/// Versions 9 and 22 have the same meaning; version 22 adds bfloat16. Elements below 1: `outside-domain`; NaN and
/// infinity: `nan-and-infinity`.
pub fn acosh(call: &Call) -> Answer {
    call.map("input", |x| x.acosh())
}

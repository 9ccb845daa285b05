use crate::prelude::*;

/// Computes `max(0, x)` for each element.
///
/// Versions 1, 6, 13 and 14 have the same meaning; version 13 adds bfloat16, version 14 signed integers. NaN: `nan`;
/// zeros: `signed-zero`.
pub fn relu(call: &Call) -> Answer {
    call.map("X", |x| x.maximum(x.like(0.0), rule::NAN))
}

use crate::families::predicate::predicate;
use crate::prelude::*;

/// Returns whether each element is NaN, of any kind (`nan`).
///
/// Versions 9, 13 and 20 have the same meaning; version 13 adds bfloat16, version 20 8-bit floats.
pub fn is_nan(call: &Call) -> Answer {
    call.map("X", |x| predicate(x, f64::is_nan))
}

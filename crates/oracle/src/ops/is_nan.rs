use crate::families::predicate::predicate;
use crate::prelude::*;

/// IsNaN-9, -13, -20: one meaning; 13 adds bfloat16, 20 the 8-bit floats. NaN of every kind counts (`nan`).
pub fn is_nan(call: &Call) -> Answer {
    call.map("X", |x| predicate(x, f64::is_nan))
}

use crate::families::predicate::predicate;
use crate::prelude::*;

/// IsInf-10, -20: one meaning; 20 adds 16-bit and 8-bit floats. Types without infinity: `types-without-infinity`; attributes other than 0 and 1:
/// `other-flag-values`.
pub fn is_inf(call: &Call) -> Answer {
    let (negative, positive) = (call.int("detect_negative")? != 0, call.int("detect_positive")? != 0);
    let found = |x: f64| x == f64::INFINITY && positive || x == f64::NEG_INFINITY && negative;
    call.map("X", |x| predicate(x, found))
}

use crate::families::predicate::predicate;
use crate::prelude::*;

/// Returns whether each element is infinite, of either sign or of the signs that the attributes select.
///
/// Versions 10 and 20 have the same meaning; version 20 adds 16-bit and 8-bit floats. Types without infinity:
/// `types-without-infinity`; attribute values other than 0 and 1: `other-flag-values`.
pub fn is_inf(call: &Call) -> Answer {
    let (negative, positive) = (call.flag("detect_negative"), call.flag("detect_positive"));
    let found = |x: f64| x == f64::INFINITY && positive || x == f64::NEG_INFINITY && negative;
    call.map("X", |x| predicate(x, found))
}

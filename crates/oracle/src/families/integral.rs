//! Floor, Ceil and Round, which round to an integer of the same element type.

use crate::Label;
use crate::Number;

/// Applies an `f` that rounds to integers.
///
/// A number above zero that is rounded to zero gives +0: this is the integer zero, and the zero with the sign of the
/// number, as IEEE 754 rounds. For a negative number the two differ, and the sign of the zero does not count. The
/// specification may say that a value that needs no rounding is returned unchanged; then `itself` names this rule, and
/// the sign of a zero input counts.
pub fn rounded(x: Number, itself: Option<Label>, f: impl Fn(Number) -> Number) -> Number {
    let fraction = x.mid().is_finite() && x.mid().fract() != 0.0;
    match itself {
        Some(_) if !fraction => f(x),
        _ if x.widest().low.is_sign_positive() => f(x),
        _ => f(x).with_any_zero(),
    }
}

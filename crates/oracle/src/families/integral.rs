//! Floor, Ceil and Round, which round to an integer of the same element type.

use crate::Label;
use crate::Number;

/// Applies an `f` that rounds to integers.
///
/// The specification may say that a value that needs no rounding is returned unchanged; then `itself` names this rule,
/// and the sign of a zero input counts. The sign of a zero that comes from rounding a fraction never counts.
pub fn rounded(x: Number, itself: Option<Label>, f: impl Fn(Number) -> Number) -> Number {
    let fraction = x.mid().is_finite() && x.mid().fract() != 0.0;
    match itself {
        Some(_) if !fraction => f(x),
        _ => f(x).with_any_zero(),
    }
}

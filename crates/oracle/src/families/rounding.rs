//! Floor, Ceil, Round: to an integer of the same type.

use crate::Label;
use crate::Number;

/// `f(x)` for an `f` that rounds to integers. Where the text says that a value which needs no rounding is returned itself (`itself`
/// is the behaviour), the sign of such a zero counts; the sign of a zero that a fraction is rounded to counts nowhere.
pub fn rounded(x: Number, itself: Option<Label>, f: impl Fn(Number) -> Number) -> Number {
    let fraction = x.mid().is_finite() && x.mid().fract() != 0.0;
    match itself {
        Some(_) if !fraction => f(x),
        _ => f(x).with_any_zero(),
    }
}

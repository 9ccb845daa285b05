use crate::families::rounding::rounded;
use crate::prelude::*;

/// Round-11, -22: one meaning; 22 adds bfloat16. Ties to even: `ties`; ±0, NaN and ±Inf: `signed-zero`; which zero becomes of a fraction is open:
/// `fraction-to-zero`.
pub fn round(call: &Call) -> Answer {
    call.map("X", |x| rounded(x, Some(rule::SIGNED_ZERO), Number::round))
}

use crate::families::rounding::rounded;
use crate::prelude::*;

/// Round-11, -22: one meaning; 22 adds bfloat16. Ties to even: B1; ±0, NaN and ±Inf: B2; which zero becomes of a fraction is open: B3.
pub fn round(call: &Call) -> Answer {
    call.map("X", |x| rounded(x, Some(B2), Number::round))
}

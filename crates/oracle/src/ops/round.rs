use crate::families::integral::rounded;
use crate::prelude::*;

/// Rounds each element to the nearest integer, ties to even (`ties`).
///
/// Versions 11 and 22 have the same meaning; version 22 adds bfloat16. Zeros, NaN and infinities: `signed-zero`. If a
/// negative fraction is rounded to zero, the sign of that zero is left open: `fraction-to-zero`.
pub fn round(call: &Call) -> Answer {
    call.map("X", |x| rounded(x, Some(rule::SIGNED_ZERO), Number::round))
}

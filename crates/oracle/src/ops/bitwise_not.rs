use crate::prelude::*;

/// Flips every bit of each element. For a type of `n` bits, the result is `-x - 1` modulo `2^n` (`integer-overflow`).
///
/// The only version is 18.
pub fn bitwise_not(call: &Call) -> Answer {
    call.map("X", |x| x.apply(|bits| !bits, |real| real).wrapped())
}

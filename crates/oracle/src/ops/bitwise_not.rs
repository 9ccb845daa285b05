use crate::prelude::*;

/// Flips every bit of each element, which is `-x - 1` modulo two to the power of the number of bits
/// (`integer-overflow`).
///
/// The only version is 18.
pub fn bitwise_not(call: &Call) -> Answer {
    call.map("X", |x| x.apply(|bits| !bits, |real| real).wrapped())
}

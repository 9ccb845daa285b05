use crate::prelude::*;

/// BitwiseNot-18: every bit flipped, which is `-x - 1` modulo two to the number of bits (`integer-overflow`).
pub fn bitwise_not(call: &Call) -> Answer {
    call.map("X", |x| x.apply(|bits| !bits, |real| real).wrapped())
}

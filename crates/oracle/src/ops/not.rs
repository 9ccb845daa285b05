use crate::prelude::*;

/// Not-1: the other bool.
pub fn not(call: &Call) -> Answer {
    call.map("X", |x| x.apply(|bit| 1 - bit, |real| real))
}

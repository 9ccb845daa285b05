use crate::prelude::*;

/// Negates each bool.
///
/// The only version is 1.
pub fn not(call: &Call) -> Answer {
    call.map("X", |x| x.apply(|bit| 1 - bit, |real| real))
}

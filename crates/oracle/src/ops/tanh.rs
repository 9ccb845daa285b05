use crate::prelude::*;

/// Computes the hyperbolic tangent of each element.
///
/// Versions 1, 6 and 13 have the same meaning; version 13 adds bfloat16. The rank of the input in version 1:
/// `input-rank`; NaN and infinities: `nan-and-infinity`.
pub fn tanh(call: &Call) -> Answer {
    if call.since() == 1 && call.tensor("input")?.rank() != 1 {
        call.leaves_open(rule::INPUT_RANK);
    }
    call.map("input", |x| x.tanh())
}

use crate::prelude::*;

/// Computes the bitwise OR of `A` and `B`, whose shapes broadcast (`shapes-broadcast`). Signed integers are in two's
/// complement (`signed-integers`).
///
/// The only version is 18.
pub fn bitwise_or(call: &Call) -> Answer {
    call.zip("A", "B", rule::SHAPES_BROADCAST, |a, b| a.combine_ints(b, |x, y| Number::int(x | y, a.dtype())))
}

use crate::prelude::*;

/// BitwiseOr-18: two's complement (`signed-integers`), broadcasting (`shapes-broadcast`).
pub fn bitwise_or(call: &Call) -> Answer {
    call.zip("A", "B", rule::SHAPES_BROADCAST, |a, b| Number::int(a.mid_int() | b.mid_int(), a.dtype()))
}

use crate::prelude::*;

/// BitwiseAnd-18: two's complement (B1), broadcasting (C1).
pub fn bitwise_and(call: &Call) -> Answer {
    call.zip("A", "B", C1, |a, b| Number::int(a.mid_int() & b.mid_int(), a.dtype()))
}

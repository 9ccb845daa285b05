use crate::reference::families::binary::binary;
use crate::reference::prelude::*;

/// Div-1, -6: `B` stands inside `A` (C1), its extents of 1 expanded (B6). Div-7 and later: broadcasting (C2). Integers divide towards
/// zero (B1); the smallest one by -1: B2; integers by zero: B3; reals by zero: B4. The sign of a zero is open (B5).
pub fn div(call: &Call) -> Answer {
    binary(call, |a, b| match b.kind {
        Kind::Int(divisor) if divisor.mid == 0 => Number::int(0, divisor.dtype).undecided(B3),
        _ => (a / b).wraps(B2),
    })
}

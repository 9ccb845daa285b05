use crate::reference::families::binary::binary;
use crate::reference::prelude::*;

/// Mul-1, -6: `B` stands inside `A` (C1). Mul-7 and later: broadcasting (C2). Integer overflow: B1.
pub fn mul(call: &Call) -> Answer {
    binary(call, |a, b| (a * b).wraps(B1))
}

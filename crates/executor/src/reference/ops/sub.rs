use crate::reference::families::binary::binary;
use crate::reference::prelude::*;

/// Sub-1, -6: `B` stands inside `A` (C1). Sub-7 and later: broadcasting (C2). Integer overflow: B1.
pub fn sub(call: &Call) -> Answer {
    binary(call, |a, b| (a - b).wraps(B1))
}

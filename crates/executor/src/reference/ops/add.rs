use crate::reference::families::binary::binary;
use crate::reference::prelude::*;

/// Add-1, -6: `B` stands inside `A` (C1). Add-7 and later: broadcasting (C2). Integer overflow: B1.
pub fn add(call: &Call) -> Answer {
    binary(call, |a, b| (a + b).wraps(B1))
}

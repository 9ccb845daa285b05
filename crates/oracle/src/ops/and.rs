use crate::families::binary::logical;
use crate::prelude::*;

/// And-1: `B` stands inside `A` (C1), its extents of 1 expanded (B1). And-7: broadcasting (C2).
pub fn and(call: &Call) -> Answer {
    logical(call, |a, b| a && b)
}

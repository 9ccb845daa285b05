use crate::families::binary::logical;
use crate::prelude::*;

/// Or-1: `B` stands inside `A` (C1), its extents of 1 expanded (B1). Or-7: broadcasting (C2).
pub fn or(call: &Call) -> Answer {
    logical(call, |a, b| a || b)
}

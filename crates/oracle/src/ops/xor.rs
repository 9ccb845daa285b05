use crate::families::binary::logical;
use crate::prelude::*;

/// Xor-1: `B` stands inside `A` (C1), its extents of 1 expanded (B1). Xor-7: broadcasting (C2).
pub fn xor(call: &Call) -> Answer {
    logical(call, |a, b| a != b)
}

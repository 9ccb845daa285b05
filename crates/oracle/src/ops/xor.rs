use crate::families::binary::logical;
use crate::prelude::*;

/// Xor-1: `B` stands inside `A` (`legacy-shapes-broadcast`), its extents of 1 expanded (`size-one-broadcast`). Xor-7: broadcasting
/// (`shapes-broadcast`).
pub fn xor(call: &Call) -> Answer {
    logical(call, |a, b| a != b)
}

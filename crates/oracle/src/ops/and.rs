use crate::families::binary::logical;
use crate::prelude::*;

/// And-1: `B` stands inside `A` (`legacy-shapes-broadcast`), its extents of 1 expanded (`size-one-broadcast`). And-7: broadcasting
/// (`shapes-broadcast`).
pub fn and(call: &Call) -> Answer {
    logical(call, |a, b| a && b)
}

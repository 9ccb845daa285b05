use crate::families::binary::logical;
use crate::prelude::*;

/// Or-1: `B` stands inside `A` (`legacy-shapes-broadcast`), its extents of 1 expanded (`size-one-broadcast`). Or-7: broadcasting
/// (`shapes-broadcast`).
pub fn or(call: &Call) -> Answer {
    logical(call, |a, b| a || b)
}

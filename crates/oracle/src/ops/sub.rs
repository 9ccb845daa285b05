use crate::families::binary::binary;
use crate::prelude::*;

/// Sub-1, -6: `B` stands inside `A` (`legacy-shapes-broadcast`), its extents of 1 expanded (`size-one-broadcast`). Sub-7 and later: broadcasting
/// (`shapes-broadcast`). Integer overflow: `integer-overflow`. Real numbers are subtracted as IEEE 754 has it (`nan-and-infinity`); the sign of a
/// zero is open (`signed-zero`).
pub fn sub(call: &Call) -> Answer {
    binary(call, |a, b| (a - b).wraps(rule::INTEGER_OVERFLOW))
}

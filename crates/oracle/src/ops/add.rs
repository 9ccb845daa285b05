use crate::families::binary::binary;
use crate::prelude::*;

/// Add-1, -6: `B` stands inside `A` (`legacy-shapes-broadcast`), its extents of 1 expanded (`size-one-broadcast`). Add-7 and later: broadcasting
/// (`shapes-broadcast`). Integer overflow: `integer-overflow`. Real numbers are added as IEEE 754 has it (`nan-and-infinity`); the sign of a zero is
/// open (`signed-zero`).
pub fn add(call: &Call) -> Answer {
    binary(call, |a, b| (a + b).wraps(rule::INTEGER_OVERFLOW))
}

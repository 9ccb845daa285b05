use crate::families::binary::binary;
use crate::prelude::*;

/// Sub-1, -6: `B` stands inside `A` (C1), its extents of 1 expanded (B4). Sub-7 and later: broadcasting (C2). Integer overflow: B1.
/// Real numbers are subtracted as IEEE 754 has it (B2); the sign of a zero is open (B3).
pub fn sub(call: &Call) -> Answer {
    binary(call, |a, b| (a - b).wraps(B1))
}

use crate::families::binary::logical;
use crate::prelude::*;

/// Computes the logical XOR of `A` and `B`, element by element.
///
/// In version 1, `broadcast` = 1 expands `B` to the shape of `A`, from a given axis on (`legacy-shapes-broadcast`).
/// Extents of 1 in `B` are expanded too (`size-one-broadcast`). From version 7 on, both shapes broadcast
/// (`shapes-broadcast`).
pub fn xor(call: &Call) -> Answer {
    logical(call, |a, b| a != b)
}

use crate::families::binary::logical;
use crate::prelude::*;

/// Computes the logical AND of `A` and `B`, element by element.
///
/// In version 1, `B` is expanded to the shape of `A` at a given axis (`legacy-shapes-broadcast`). Extents of 1 in `B`
/// are expanded too (`size-one-broadcast`). From version 7 on, both shapes broadcast (`shapes-broadcast`).
pub fn and(call: &Call) -> Answer {
    logical(call, |a, b| a && b)
}

use crate::families::binary::logical;
use crate::prelude::*;

/// Computes the logical OR of `A` and `B`, element by element.
///
/// In version 1, `B` is expanded to the shape of `A` at a given axis if `broadcast` is set (`legacy-shapes-broadcast`);
/// extents of 1 in `B` are expanded too (`size-one-broadcast`). From version 7 on, both shapes broadcast
/// (`shapes-broadcast`).
pub fn or(call: &Call) -> Answer {
    logical(call, |a, b| a || b)
}

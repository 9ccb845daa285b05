use crate::families::binary::binary;
use crate::prelude::*;

/// Returns whether `A` is less than `B`, element by element.
///
/// In version 1, `B` is expanded to the shape of `A` at a given axis if `broadcast` is set (`legacy-shapes-broadcast`);
/// extents of 1 in `B` are expanded too (`size-one-broadcast`). From version 7 on, both shapes broadcast
/// (`shapes-broadcast`). NaN: `nan`; zeros of both signs: `signed-zero`.
pub fn less(call: &Call) -> Answer {
    binary(call, |a, b| a.compare(b, PartialOrd::lt, PartialOrd::lt))
}

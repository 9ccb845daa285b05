use crate::families::binary::{binary, equal_strings};
use crate::prelude::*;

/// Compares `A` and `B` for equality, element by element.
///
/// In version 1, `B` is expanded to the shape of `A` at a given axis if `broadcast` is set (`legacy-shapes-broadcast`);
/// extents of 1 in `B` are expanded too (`size-one-broadcast`). From version 7 on, both shapes broadcast
/// (`shapes-broadcast`). Version 11 adds floats (NaN: `nan`; zeros of both signs: `signed-zero`), version 19 strings
/// (`string-equality`).
pub fn equal(call: &Call) -> Answer {
    if call.bound("T") == Some(DType::String) {
        return equal_strings(call, rule::SHAPES_BROADCAST);
    }
    binary(call, Number::equals)
}

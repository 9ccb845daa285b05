use crate::families::binary::{binary, equal_strings};
use crate::prelude::*;

/// Equal-1: `B` stands inside `A` (`legacy-shapes-broadcast`), its extents of 1 expanded (`size-one-broadcast`). Equal-7 and later: broadcasting
/// (`shapes-broadcast`). Equal-11 adds floats (NaN: `nan`, zeros: `signed-zero`), Equal-19 strings (`string-equality`).
pub fn equal(call: &Call) -> Answer {
    if call.bound("T") == Some(DType::String) {
        return equal_strings(call, rule::SHAPES_BROADCAST);
    }
    binary(call, Number::equals)
}

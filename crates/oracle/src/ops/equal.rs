use crate::families::binary::{binary, equal_strings};
use crate::prelude::*;

/// Equal-1: `B` stands inside `A` (C1), its extents of 1 expanded (B4). Equal-7 and later: broadcasting (C2). Equal-11 adds floats
/// (NaN: B1, zeros: B2), Equal-19 strings (B3).
pub fn equal(call: &Call) -> Answer {
    if call.bound("T") == Some(DType::String) {
        return equal_strings(call, C2);
    }
    binary(call, Number::equals)
}

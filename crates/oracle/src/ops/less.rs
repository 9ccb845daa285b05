use crate::families::binary::binary;
use crate::prelude::*;

/// Less-1: `B` stands inside `A` (C1), its extents of 1 expanded (B3). Less-7, -9, -13: broadcasting (C2). NaN: B1, zeros: B2.
pub fn less(call: &Call) -> Answer {
    binary(call, |a, b| a.compare(b, PartialOrd::lt, PartialOrd::lt))
}

use crate::families::binary::binary;
use crate::prelude::*;

/// Greater-1: `B` stands inside `A` (C1), its extents of 1 expanded (B3). Greater-7, -9, -13: broadcasting (C2). NaN: B1, zeros: B2.
pub fn greater(call: &Call) -> Answer {
    binary(call, |a, b| a.compare(b, PartialOrd::gt, PartialOrd::gt))
}

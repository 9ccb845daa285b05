use crate::families::binary::binary;
use crate::prelude::*;

/// Greater-1: `B` stands inside `A` (`legacy-shapes-broadcast`), its extents of 1 expanded (`size-one-broadcast`). Greater-7, -9, -13: broadcasting
/// (`shapes-broadcast`). NaN: `nan`, zeros: `signed-zero`.
pub fn greater(call: &Call) -> Answer {
    binary(call, |a, b| a.compare(b, PartialOrd::gt, PartialOrd::gt))
}

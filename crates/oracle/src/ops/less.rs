use crate::families::binary::binary;
use crate::prelude::*;

/// Less-1: `B` stands inside `A` (`legacy-shapes-broadcast`), its extents of 1 expanded (`size-one-broadcast`). Less-7, -9, -13: broadcasting
/// (`shapes-broadcast`). NaN: `nan`, zeros: `signed-zero`.
pub fn less(call: &Call) -> Answer {
    binary(call, |a, b| a.compare(b, PartialOrd::lt, PartialOrd::lt))
}

use crate::prelude::*;

/// Identity-1, -13, -14, -16, -19, -21, -23, -24, -25: one meaning; the later ones add types. Every bit stays (`exact-copy`), and what is empty
/// stays empty (`empty-values`).
pub fn identity(call: &Call) -> Answer {
    Ok(vec![call.operand("input")?.clone()])
}

use crate::prelude::*;

/// Returns the input unchanged.
///
/// Versions 1 to 25 have the same meaning; later ones add types. Every bit stays the same (`exact-copy`); empty
/// tensors, sequences and optionals stay empty (`empty-values`).
pub fn identity(call: &Call) -> Answer {
    Ok(vec![call.operand("input")?.clone()])
}

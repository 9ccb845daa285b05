use crate::prelude::*;

/// Returns whether an optional has a value.
///
/// From version 18 on, a tensor or a sequence counts as a value, and a missing input counts as none
/// (`input-not-optional`).
pub fn optional_has_element(call: &Call) -> Answer {
    let has = match call.optional_operand("input") {
        None | Some(Operand::Optional { item: None, .. }) => false,
        Some(_) => true,
    };
    one(Expected::from_numbers(DType::Bool, vec![], [has.into()])?)
}

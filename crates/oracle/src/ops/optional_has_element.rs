use crate::prelude::*;

/// OptionalHasElement-15: whether the optional holds something. OptionalHasElement-18, -28: a tensor or a sequence does; no input does not
/// (`input-not-optional`).
pub fn optional_has_element(call: &Call) -> Answer {
    let has = match call.optional_operand("input") {
        None | Some(Operand::Optional { item: None, .. }) => false,
        Some(_) => true,
    };
    one(Expected::from_numbers(DType::Bool, vec![], [has.into()])?)
}

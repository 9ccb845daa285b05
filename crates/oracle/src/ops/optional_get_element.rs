use crate::prelude::*;

/// Returns the value of an optional, which must not be empty (`empty-optional`).
///
/// From version 18 on, the input may also be a tensor or a sequence, which is returned unchanged
/// (`input-not-optional`).
pub fn optional_get_element(call: &Call) -> Answer {
    match call.operand("input")? {
        Operand::Optional { item: Some(item), .. } => Ok(vec![(**item).clone()]),
        Operand::Optional { item: None, .. } => {
            Err(Refusal::leaves_open(rule::EMPTY_OPTIONAL, "the optional is empty"))
        }
        other => Ok(vec![other.clone()]),
    }
}

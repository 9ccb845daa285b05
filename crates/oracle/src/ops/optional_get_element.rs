use crate::prelude::*;

/// OptionalGetElement-15: what the optional holds, which has to be something (`empty-optional`). OptionalGetElement-18, -28: a tensor or a sequence
/// is itself (`input-not-optional`).
pub fn optional_get_element(call: &Call) -> Answer {
    match call.operand("input")? {
        Operand::Optional { item: Some(item), .. } => Ok(vec![(**item).clone()]),
        Operand::Optional { item: None, .. } => {
            Err(Refusal::leaves_open(rule::EMPTY_OPTIONAL, "the optional is empty"))
        }
        other => Ok(vec![other.clone()]),
    }
}

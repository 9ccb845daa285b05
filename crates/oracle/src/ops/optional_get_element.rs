use crate::prelude::*;

/// OptionalGetElement-15: what the optional holds, which has to be something (B2). OptionalGetElement-18, -28: a tensor or a sequence is itself (B1).
pub fn optional_get_element(call: &Call) -> Answer {
    match call.operand("input")? {
        Operand::Optional { item: Some(item), .. } => Ok(vec![(**item).clone()]),
        Operand::Optional { item: None, .. } => Err(Refusal::leaves_open(B2, "the optional is empty")),
        other => Ok(vec![other.clone()]),
    }
}

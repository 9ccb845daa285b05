use crate::families::sequence::{position, sequence};
use crate::prelude::*;

/// SequenceAt-11: `position` is a scalar (C2, B1) within the sequence (C1).
pub fn sequence_at(call: &Call) -> Answer {
    let (_, items) = sequence(call, "input_sequence")?;
    let at = position(call, items.len(), C1, C2)?;
    let item = at.and_then(|at| items.get(at));
    Ok(vec![item.ok_or_else(|| Refusal::invalid("input `position` is missing"))?.clone()])
}

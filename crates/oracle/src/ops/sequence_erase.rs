use crate::families::sequence::{position, sequence, sequence_of};
use crate::prelude::*;

/// SequenceErase-11: `position` is a scalar (C2, B1) within the sequence (C1), the last one where it is left out. There has to be one (C1).
pub fn sequence_erase(call: &Call) -> Answer {
    let (element, items) = sequence(call, "input_sequence")?;
    let last = items.len().checked_sub(1);
    let at = position(call, items.len(), C1, C2)?.or(last);
    let at = at.ok_or_else(|| Refusal::violates(C1, "there is nothing to erase"))?;
    let kept = items.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, item)| item.clone());
    sequence_of(element, kept.collect())
}

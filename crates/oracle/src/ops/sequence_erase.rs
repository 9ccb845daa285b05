use crate::families::sequence::{position, sequence, sequence_of};
use crate::prelude::*;

/// Removes the tensor at a position of a sequence, by default the last one.
///
/// The only version is 11. `position` is a scalar (`position-is-scalar`, `scalar-rank`) within the sequence, which must
/// not be empty (`position-in-range`).
pub fn sequence_erase(call: &Call) -> Answer {
    let (element, items) = sequence(call, "input_sequence")?;
    let last = items.len().checked_sub(1);
    let at = position(call, items.len(), rule::POSITION_IN_RANGE, rule::POSITION_IS_SCALAR)?.or(last);
    let at = at
        .ok_or_else(|| Refusal::violates(rule::POSITION_IN_RANGE, "the sequence is empty, so nothing can be erased"))?;
    let kept = items.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, item)| item.clone());
    sequence_of(element, kept.collect())
}

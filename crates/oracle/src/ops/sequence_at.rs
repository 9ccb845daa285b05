use crate::families::sequence::{position, sequence};
use crate::prelude::*;

/// Returns the tensor at a position of a sequence.
///
/// The only version is 11. `position` has one element (`position-is-scalar`; rank 1 in place of 0: `scalar-rank`), and
/// is in the range of the sequence (`position-in-range`).
pub fn sequence_at(call: &Call) -> Answer {
    let (_, items) = sequence(call, "input_sequence")?;
    let at = position(call, items.len(), rule::POSITION_IN_RANGE, rule::POSITION_IS_SCALAR)?;
    let item = at.and_then(|at| items.get(at));
    Ok(vec![item.ok_or_else(|| Refusal::invalid("input `position` is missing"))?.clone()])
}

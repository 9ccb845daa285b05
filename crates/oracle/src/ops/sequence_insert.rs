use crate::families::sequence::{given_position, sequence, sequence_of};
use crate::prelude::*;

/// Inserts a tensor at a position of a sequence, by default at the end.
///
/// The only version is 11. `position` is a scalar (`position-is-scalar`, `scalar-rank`) in [-n, n] for a sequence of n
/// tensors (`position-in-range`). A negative position counts from the end of the sequence before the insertion
/// (`negative-position`). The tensor has the type of the others (`element-type-fits`).
pub fn sequence_insert(call: &Call) -> Answer {
    let (element, items) = sequence(call, "input_sequence")?;
    let tensor = call.operand("tensor")?;
    if tensor.kind() != *element {
        return Err(Refusal::violates(
            rule::ELEMENT_TYPE_FITS,
            format!("{} cannot be inserted into a sequence of {element}", tensor.kind()),
        ));
    }
    let at = match given_position(call, rule::POSITION_IS_SCALAR)? {
        None => items.len(),
        // The position after the last tensor is valid too.
        Some(at) if at == items.len() as i64 => items.len(),
        Some(at) => shape::index_within(at, items.len(), rule::POSITION_IN_RANGE)?,
    };
    let mut items = items.to_vec();
    items.insert(at, tensor.clone());
    sequence_of(element, items)
}

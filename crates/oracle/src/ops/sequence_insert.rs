use crate::families::sequence::{position, sequence, sequence_of};
use crate::prelude::*;

/// Inserts a tensor at a position of a sequence, by default at the end.
///
/// The only version is 11. `position` is a scalar (`position-is-scalar`, `scalar-rank`) in [-n, n]
/// (`position-in-range`). A negative one counts from the end of the sequence before the insertion
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
    let at = match call.optional_ints("position")?.as_deref() {
        // A position behind the last tensor is valid too.
        Some(&[at]) if at == items.len() as i64 && call.tensor("position")?.rank() <= 1 => items.len(),
        _ => position(call, items.len(), rule::POSITION_IN_RANGE, rule::POSITION_IS_SCALAR)?.unwrap_or(items.len()),
    };
    let mut items = items.to_vec();
    items.insert(at, tensor.clone());
    sequence_of(element, items)
}

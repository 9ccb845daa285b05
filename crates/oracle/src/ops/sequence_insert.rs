use crate::families::sequence::{position, sequence, sequence_of};
use crate::prelude::*;

/// SequenceInsert-11: `position` is a scalar (C2, B2) in [-n, n] (C1), the end where it is left out. Counted from the back it is a place of the
/// sequence as it is given (B1). The tensor has the type of the others (C3).
pub fn sequence_insert(call: &Call) -> Answer {
    let (element, items) = sequence(call, "input_sequence")?;
    let tensor = call.operand("tensor")?;
    if tensor.kind() != *element {
        return Err(Refusal::violates(C3, format!("a {} goes into a sequence of {element}", tensor.kind())));
    }
    let at = match call.optional_ints("position")?.as_deref() {
        // The place behind the last one is there too.
        Some(&[at]) if at == items.len() as i64 && call.tensor("position")?.rank() <= 1 => items.len(),
        _ => position(call, items.len(), C1, C2)?.unwrap_or(items.len()),
    };
    let mut items = items.to_vec();
    items.insert(at, tensor.clone());
    sequence_of(element, items)
}

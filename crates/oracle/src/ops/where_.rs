use crate::prelude::*;
use crate::shape::broadcast_indices;

/// Selects elements of `X` where `condition` is true, and elements of `Y` elsewhere, bit for bit.
///
/// Versions 9 and 16 have the same meaning; version 16 adds bfloat16. The shapes of all three inputs broadcast
/// (`shapes-broadcast`).
pub fn where_(call: &Call) -> Answer {
    let (condition, x, y) = (call.tensor("condition")?, call.tensor("X")?, call.tensor("Y")?);
    let shape = broadcast_shape(&[condition, x, y], rule::SHAPES_BROADCAST)?;
    let at = [condition, x, y].map(|t| broadcast_indices(t.shape(), &shape));
    if !condition.is_certain() {
        if x.dtype().bits().is_none_or(|bits| bits > 64) || x.dtype() == DType::Complex64 {
            return Err(Refusal::unsupported(
                "the oracle accepts true and false for an element of `condition`, but `X` and `Y` are not real numbers",
            ));
        }
        // If the condition is uncertain, both elements and all numbers between them are accepted.
        let chosen = |i: usize| {
            let condition = condition.number(at[0][i]);
            let (x, y) = (x.number(at[1][i]), y.number(at[2][i]));
            let (yes, no) = if condition.mid_int() != 0 { (x, y) } else { (y, x) };
            if condition.is_point() { yes } else { yes.hull(no) }
        };
        let count = shape.iter().product();
        return call.answer(shape, (0..count).map(chosen));
    }
    let holds = |i: usize| condition.number(at[0][i]).mid_int() != 0;
    one(Expected::assembled(shape, &[x, y], |i| if holds(i) { (0, at[1][i]) } else { (1, at[2][i]) })?)
}

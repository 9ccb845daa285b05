use crate::reference::prelude::*;

/// Compress-9, -11, -28: one meaning; 11 lets the axis be negative (C3), 28 adds bfloat16. `input` has a rank (C1), `condition` rank 1 (C2).
/// Without an axis the input is taken flat (B3). What is beyond a short condition is dropped (B1), as is what of a long one is beyond the input (B2).
pub fn compress(call: &Call) -> Answer {
    let (input, condition) = (call.tensor("input")?, call.tensor("condition")?);
    if input.rank() == 0 {
        return Err(Refusal::violates(C1, "`input` is of rank 0"));
    }
    if condition.rank() != 1 {
        return Err(Refusal::violates(C2, format!("`condition` is of rank {}", condition.rank())));
    }
    let flags = condition.flags()?;
    let chosen = |extent: usize| -> Vec<usize> { (0..extent.min(flags.len())).filter(|&i| flags[i]).collect() };
    let Some(axis) = call.optional_int("axis") else {
        let chosen = chosen(input.len());
        return one(input.rearranged(vec![chosen.len()], |i| chosen[i])?);
    };
    let axis = call.axis(axis, input.rank(), C3)?;
    let chosen = chosen(input.extent(axis));
    let mut shape = input.shape().to_vec();
    shape[axis] = chosen.len();
    one(input.moved(shape, |at| {
        let mut from = at.to_vec();
        from[axis] = chosen[at[axis]];
        from
    })?)
}

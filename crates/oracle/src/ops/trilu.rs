use crate::prelude::*;

/// Trilu-14: a triangle of the last two axes (C1), from diagonal `k` on, which is a scalar (C2),
/// also outside of the matrix (B2); the rest is zero (B1).
pub fn trilu(call: &Call) -> Answer {
    let input = call.tensor("input")?;
    let Some(row) = input.rank().checked_sub(2) else {
        return Err(Refusal::violates(C1, format!("rank is {}", input.rank())));
    };
    let k = match call.optional_tensor("k")? {
        None => 0,
        Some(k) if k.rank() == 0 => call.ints("k")?.first().map_or(0, |&k| i128::from(k)),
        Some(k) => return Err(Refusal::violates(C2, format!("`k` has shape {:?}", k.shape()))),
    };
    let upper = call.int("upper")? != 0;
    let zero = Expected::zero(input.dtype(), B1)?;
    one(input.moved_or(input.shape().to_vec(), &zero, |at| {
        let diagonal = at[row + 1] as i128 - at[row] as i128;
        let kept = if upper { diagonal >= k } else { diagonal <= k };
        kept.then(|| at.to_vec())
    })?)
}

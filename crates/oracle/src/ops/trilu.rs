use crate::prelude::*;

/// Keeps the upper or lower triangle of the last two axes (`rank-at-least-two`), and replaces all other elements by
/// zero (`zero-of-strings`).
///
/// The only version is 14. The scalar `k` (`k-is-scalar`) names the diagonal at which the triangle begins, which may
/// lie outside of the matrix (`diagonal-outside`).
///
/// Values of `upper` other than 0 and 1: `other-flag-values`.
pub fn trilu(call: &Call) -> Answer {
    let input = call.tensor("input")?;
    let Some(row) = input.rank().checked_sub(2) else {
        return Err(Refusal::violates(
            rule::RANK_AT_LEAST_TWO,
            format!("the input has rank {}, expected 2 or more", input.rank()),
        ));
    };
    let k = match call.optional_tensor("k")? {
        None => 0,
        Some(k) if k.rank() == 0 => call.ints("k")?.first().map_or(0, |&k| i128::from(k)),
        Some(k) => {
            return Err(Refusal::violates(
                rule::K_IS_SCALAR,
                format!("`k` has shape {:?}, expected a scalar", k.shape()),
            ));
        }
    };
    let upper = call.flag("upper");
    let zero = Expected::zero(input.dtype(), rule::ZERO_OF_STRINGS)?;
    one(input.moved_or(input.shape().to_vec(), &zero, |at| {
        let diagonal = at[row + 1] as i128 - at[row] as i128;
        let kept = if upper { diagonal >= k } else { diagonal <= k };
        kept.then(|| at.to_vec())
    })?)
}

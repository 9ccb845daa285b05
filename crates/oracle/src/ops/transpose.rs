use crate::prelude::*;

/// Permutes the axes of the input.
///
/// All versions have the same meaning; versions after 1 add types. `perm` is a permutation of all axes
/// (`perm-is-permutation`); without it, the order is reversed (`default-perm`). Ranks 0 and 1 have nothing to permute
/// (`rank-zero-or-one`).
pub fn transpose(call: &Call) -> Answer {
    let data = call.tensor("data")?;
    let rank = data.rank();
    let perm = match call.optional_int_list("perm") {
        Some(perm) => shape::axes_within(&perm, rank, false, rule::PERM_IS_PERMUTATION)?,
        None => (0..rank).rev().collect(),
    };
    if perm.len() != rank || !shape::distinct(&perm) {
        return Err(Refusal::violates(
            rule::PERM_IS_PERMUTATION,
            format!("`perm` {perm:?} is not a permutation of {rank} axes"),
        ));
    }
    let shape = perm.iter().map(|&d| data.extent(d)).collect();
    one(data.moved(shape, |at| {
        let mut from = vec![0; rank];
        perm.iter().zip(at).for_each(|(&d, &i)| from[d] = i);
        from
    })?)
}

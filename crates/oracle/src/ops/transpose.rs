use crate::prelude::*;

/// Transpose-1 to -25: one meaning, the versions add types. `perm` is a permutation of all axes (C1); left out, axes are reversed (B1).
/// Ranks 0 and 1 have nothing to exchange (B2).
pub fn transpose(call: &Call) -> Answer {
    let data = call.tensor("data")?;
    let rank = data.rank();
    let perm = match call.optional_int_list("perm") {
        Some(perm) => shape::axes_within(&perm, rank, false, C1)?,
        None => (0..rank).rev().collect(),
    };
    if perm.len() != rank || !shape::distinct(&perm) {
        return Err(Refusal::violates(C1, format!("{perm:?} is no permutation of {rank} axes")));
    }
    let shape = perm.iter().map(|&d| data.extent(d)).collect();
    one(data.moved(shape, |at| {
        let mut from = vec![0; rank];
        perm.iter().zip(at).for_each(|(&d, &i)| from[d] = i);
        from
    })?)
}

use super::depth_to_space::block;
use crate::prelude::*;

/// Moves blocks of the spatial axes to the depth, so that height and width shrink by `blocksize`.
///
/// Version 28 adds the modes DCR and CRD (`mode-known`). Earlier versions do not describe the order of the elements in
/// the depth; the oracle takes DCR, the inverse of DepthToSpace-1 (`depth-order`). Constraints: the input has rank 4
/// (`rank-four`), and `blocksize` is positive (`blocksize-positive`) and divides height and width
/// (`blocksize-divides-extents`).
pub fn space_to_depth(call: &Call) -> Answer {
    let input = call.tensor("input")?;
    let (block, depth_first) = block(call)?;
    let &[n, c, h, w] = input.shape() else {
        return Err(Refusal::violates(rule::RANK_FOUR, format!("the input has rank {}, expected 4", input.rank())));
    };
    if h % block != 0 || w % block != 0 {
        return Err(Refusal::violates(
            rule::BLOCKSIZE_DIVIDES_EXTENTS,
            format!("`blocksize` {block} does not divide both extents, {h} and {w}"),
        ));
    }
    let area = block.saturating_mul(block);
    let shape = vec![n, c.saturating_mul(area), h / block, w / block];
    one(input.moved(shape, |at| {
        let (channel, within) = if depth_first { (at[1] % c, at[1] / c) } else { (at[1] / area, at[1] % area) };
        vec![at[0], channel, at[2] * block + within / block, at[3] * block + within % block]
    })?)
}

use super::depth_to_space::block;
use crate::prelude::*;

/// SpaceToDepth-1, -13: the order of the depth is not written down (`depth-order`); DCR undoes DepthToSpace-1. SpaceToDepth-28: DCR or CRD
/// (`mode-known`). Rank 4 (`rank-four`), a positive `blocksize` (`blocksize-positive`) that divides height and width (`blocksize-divides-extents`).
pub fn space_to_depth(call: &Call) -> Answer {
    let input = call.tensor("input")?;
    let (block, depth_first) = block(call)?;
    let &[n, c, h, w] = input.shape() else {
        return Err(Refusal::violates(rule::RANK_FOUR, format!("rank is {}", input.rank())));
    };
    if h % block != 0 || w % block != 0 {
        return Err(Refusal::violates(rule::BLOCKSIZE_DIVIDES_EXTENTS, format!("{block} does not divide {h} and {w}")));
    }
    let area = block.saturating_mul(block);
    let shape = vec![n, c.saturating_mul(area), h / block, w / block];
    one(input.moved(shape, |at| {
        let (channel, within) = if depth_first { (at[1] % c, at[1] / c) } else { (at[1] / area, at[1] % area) };
        vec![at[0], channel, at[2] * block + within / block, at[3] * block + within % block]
    })?)
}

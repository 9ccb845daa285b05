use crate::prelude::*;
use crate::shape::around;

/// ArrayFeatureExtractor-1: elements along the last axis. Rank: `rank-at-least-one`; indices: `indices-in-range`. The shape for a list:
/// `rank-one-input`; for indices of any shape: `output-shape`.
pub fn array_feature_extractor(call: &Call) -> Answer {
    let x = call.tensor("X")?;
    let axis = x.rank().checked_sub(1).ok_or_else(|| Refusal::violates(rule::RANK_AT_LEAST_ONE, "X is a scalar"))?;
    let (_, extent, _) = around(x.shape(), axis);
    let indices = call.ints("Y")?;
    let within = |&index: &i64| {
        let at = usize::try_from(index).ok().filter(|&at| at < extent);
        at.ok_or_else(|| {
            Refusal::violates(rule::INDICES_IN_RANGE, format!("index {index} is outside of [0, {extent})"))
        })
    };
    let indices: Vec<usize> = indices.iter().map(within).collect::<Result<_, _>>()?;
    // Of a list the published implementations make a matrix of one row (`rank-one-input`).
    let mut shape = if axis == 0 { vec![1] } else { x.shape()[..axis].to_vec() };
    let count = indices.len();
    shape.push(count);
    shape::affordable(&shape)?;
    one(x.rearranged(shape, |i| i / count * extent + indices[i % count])?)
}
